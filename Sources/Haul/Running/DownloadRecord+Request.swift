internal import HaulHTTP
internal import HaulRecords
internal import HaulTransfer

extension DownloadRecord {
  /// What the engine is asked for.
  ///
  /// - Throws: `RecordFailure` when its base is not known.
  func request(
    _ secrets: ItemSecrets?, bases: DownloadBases, limiter: RateLimiter?
  ) throws(RecordFailure) -> TransferRequest {
    guard let folder = bases.path(of: folder) else {
      throw RecordFailure(
        code: TransferFailure.Code.folderMissing.rawValue,
        message: "There is no folder for the base \u{201C}\(folder.base)\u{201D} of this download. "
          + "Give the manager one by that name.")
    }
    // The strongest one is asked for; one is enough.
    let digest = options.digests.max { $0.algorithm.byteCount < $1.algorithm.byteCount }
    let existing = ExistingFilePolicy(rawValue: options.namePolicy.rawValue) ?? .rename
    var request = TransferRequest(
      url: url,
      destination: Destination(
        folder: folder, name: wantedName, existing: existing, digest: digest))
    request.keptUnder = options.keptUnder
    request.digest = digest
    request.mirrors = options.mirrors
    request.fields = options.headers.map { RequestField($0) }
    for field in secrets?.fields ?? [] {
      request.fields.append(
        RequestField(HeaderField(name: field.name, value: field.value.value), isSecret: true))
    }
    if let credentials = secrets?.credentials {
      request.credentials = Credentials(
        user: credentials.user.value, password: credentials.password.value)
    }
    request.segments =
      options.connections.map { SegmentPolicy(maximumConnections: $0, isAdaptive: false) }
      ?? .adaptive
    request.limiter = limiter
    return request
  }
}

extension RecordFailure: Error {
  /// The failure of a transfer.
  init(_ failure: TransferFailure) {
    self.init(code: failure.code.rawValue, message: failure.message)
  }
}
