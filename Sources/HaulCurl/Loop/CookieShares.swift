internal import CCurl
internal import CHaulCurl
internal import HaulTransfer

/// The cookies of each transfer, kept by libcurl in a share that only its exchanges use.
///
/// A share is cleaned up when the transfer is over and its last exchange has let go of it.
struct CookieShares {
  @safe private struct Entry {
    var share: OpaquePointer
    var users = 0
    var isOver = false
  }

  private var entries: [ConnectionID: Entry] = [:]

  /// Lets an exchange take part in the cookies of its transfer; the first one brings those of the
  /// file along.
  mutating func attach(_ easy: EasyHandle, to session: ConnectionID, file: String?) {
    // A share handle is valid until `curl_share_cleanup`, which runs only in `clean`.
    if entries[session] == nil, let made = unsafe OpaquePointer(curl_share_init()) {
      unsafe haul_curl_share_set_long(
        UnsafeMutableRawPointer(made), CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_COOKIE.rawValue))
      entries[session] = unsafe Entry(share: made)
      if let file { unsafe read(file, into: made) }
    }
    guard let entry = entries[session] else { return }
    entries[session]?.users += 1
    // Locks are not needed: all exchanges of the share run on one thread.
    unsafe easy.set(CURLOPT_SHARE, UnsafeMutableRawPointer(entry.share))
    easy.set(CURLOPT_COOKIEFILE, "")
  }

  /// Reads a file once for each transfer. Were it read by each exchange, cookies that a server has
  /// taken back meanwhile would be there again.
  private func read(_ file: String, into share: OpaquePointer) {
    guard let reader = EasyHandle() else { return }
    // The share outlives the handle, which lets go of it here.
    unsafe reader.set(CURLOPT_SHARE, UnsafeMutableRawPointer(share))
    reader.set(CURLOPT_COOKIEFILE, file)
    reader.set(CURLOPT_COOKIELIST, "RELOAD")
    unsafe reader.set(CURLOPT_SHARE, nil as UnsafeMutableRawPointer?)
    reader.close()
  }

  mutating func detach(_ easy: EasyHandle, from session: ConnectionID) {
    guard entries[session] != nil else { return }
    unsafe easy.set(CURLOPT_SHARE, nil as UnsafeMutableRawPointer?)
    entries[session]?.users -= 1
    cleanIfUnused(session)
  }

  mutating func end(_ session: ConnectionID) {
    entries[session]?.isOver = true
    cleanIfUnused(session)
  }

  mutating func endAll() {
    for session in Array(entries.keys) { end(session) }
  }

  private mutating func cleanIfUnused(_ session: ConnectionID) {
    guard let entry = entries[session], entry.isOver, entry.users == 0 else { return }
    entries[session] = nil
    // No easy handle uses the share any more.
    unsafe curl_share_cleanup(UnsafeMutableRawPointer(entry.share))
  }
}
