internal import Glibc
internal import HaulSystem
internal import HaulTransfer

/// Asks once more for a name that libcurl could not find, since libcurl does not say why: the name
/// may not exist, or nobody may have answered.
enum NameLookUp {
  /// Seconds after which a look-up that failed has waited for an answer in vain: a question that is
  /// lost is asked again after five, and given up after ten (resolv.conf(5)).
  static let longestAnswer = 8.0

  /// Says on a thread of its own whether the answer is that the host has no address.
  ///
  /// Names that have to be translated first (IDNA) are not asked for: of them it is never said.
  static func start(
    _ host: String, _ family: AddressFamily?, completion: @escaping @Sendable (Bool) -> Void
  ) {
    guard host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else {
      return completion(false)
    }
    if !SystemThread.start({ completion(hasNoAddress(host, family)) }) { completion(false) }
  }

  private static func hasNoAddress(_ host: String, _ family: AddressFamily?) -> Bool {
    let family =
      switch family {
      case .ipv4: AF_INET
      case .ipv6: AF_INET6
      case nil: AF_UNSPEC
      }
    // The hints hold no pointers, and live longer than the call. The name is passed as a string that
    // ends with NUL. The list belongs to us, and is freed once.
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_family = family
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &found)
    if let found = unsafe found { unsafe freeaddrinfo(found) }
    // The name is unknown, or has no address of the family (RFC 3493 §6.1; the latter two codes are
    // glibc's, whose headers show them to GNU programs only).
    return [EAI_NONAME, noAddress, noFamily].contains(code)
  }

  private static let noAddress: Int32 = -5
  private static let noFamily: Int32 = -9
}
