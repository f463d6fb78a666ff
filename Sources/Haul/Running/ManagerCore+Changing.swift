internal import HaulHTTP
internal import HaulRecords
internal import HaulTransfer

/// How what is asked for is changed.
extension ManagerCore {
  /// Gives a download another address; it is stored when this returns. What was received is kept under the
  /// first address, and gone on from as far as the new one has the same file.
  mutating func setURL(
    _ id: DownloadID, _ url: HTTPURL, _ moment: ListMoment
  ) throws(DownloadManagerFailure) -> [ListAction] {
    let record = try change(id) { Self.set(url, &$0, &$1) }
    return keeper.list.replaced(id, origin: record.origin, key: record.key, moment)
  }

  /// Limits the bytes in a second of a download, at once and in later attempts.
  mutating func setRateLimit(
    _ id: DownloadID, _ bytesPerSecond: Int64?
  ) throws(DownloadManagerFailure) -> [ListAction] {
    try change(id) { record, _ in record.options.rateLimit = bytesPerSecond }
    limiters[id]?.set(bytesPerSecond: bytesPerSecond)
    return [.changed(id)]
  }

  /// Changes what is asked for of a download; it is stored, and survives a power cut, when this returns.
  @discardableResult
  private mutating func change(
    _ id: DownloadID, _ body: (inout DownloadRecord, inout ItemSecrets) -> Void
  ) throws(DownloadManagerFailure) -> DownloadRecord {
    guard let entry = keeper.list.entry(id), !entry.item.isLeaving,
      var record = records([id]).first
    else { throw .unknown(id) }
    record = current(record)
    let before: ItemSecrets
    do throws(SecretFailure) { before = try world.secrets.secrets(of: id) ?? ItemSecrets() } catch {
      throw DownloadManagerFailure(error)
    }
    var secrets = before
    body(&record, &secrets)
    do throws(RecordError) { try record.check() } catch {
      throw DownloadManagerFailure(
        code: .invalid, message: "The download \(id) cannot be changed: \(error.reason).", id: id)
    }
    // Whatever fails or crashes in between: the old server never gets what is meant for the new one, and
    // the other way round.
    let isMoving = secrets != before && !before.isEmpty
    do throws(SecretFailure) {
      if isMoving { try world.secrets.store([id: ItemSecrets()]) }
    } catch {
      throw DownloadManagerFailure(error)
    }
    do throws(DatabaseFailure) { try keeper.saveNow([.replace(record)]) } catch {
      if isMoving { try? world.secrets.store([id: before]) }
      throw DownloadManagerFailure(error)
    }
    do throws(SecretFailure) {
      if secrets != before { try world.secrets.store([id: secrets]) }
    } catch {
      throw DownloadManagerFailure(error)
    }
    attempts[id]?.record = record
    return record
  }

  private static func set(
    _ url: HTTPURL, _ record: inout DownloadRecord, _ secrets: inout ItemSecrets
  ) {
    if url.origin != record.url.origin {
      // They were for the other server.
      secrets.credentials = nil
      secrets.fields = []
      record.options.headers.removeAll { RequestField($0).isSecret }
    }
    if let user = url.user {
      secrets.credentials = SecretCredentials(user: user, password: url.password ?? "")
    }
    record.options.keptUnder = record.options.keptUnder ?? record.url
    record.url = url.withoutUser
    if record.options.keptUnder == record.url { record.options.keptUnder = nil }
  }
}
