internal import HaulHTTP

/// What an answer says beside the version of its file.
struct AnswerNotes: Sendable {
  var url: HTTPURL
  var mediaType: String?
  var acceptsRanges: Bool?
}

extension TransferMachine {
  mutating func noteAnswer(_ connection: Connection, _ head: ResponseHead) {
    guard request.isDryRun else { return }
    let type = head.fields.first("Content-Type").flatMap(MediaType.init(parsing:))
    let units = head.fields.combined("Accept-Ranges")?.lowercased()
    let isWhole = StatusKind(head.status) == .ok
    answer = AnswerNotes(
      url: connection.url, mediaType: type?.essence,
      acceptsRanges: onlyWhole
        ? false : isWhole ? units.map { $0.contains("bytes") } : true)
  }

  /// Everything is known that can be known without the body.
  mutating func endDryRun(_ step: PlannedTransfer.Step) {
    let path = path ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let continuation: PlannedTransfer.Continuation =
      switch rules.combining(version) {
      case _ where isCoded: .never
      case .byValidator: .validator
      case .byDigest: .digest
      case .byOverlap: .overlap
      case .never: .never
      }
    let finalURL = answer.flatMap { $0.url == request.url ? nil : $0.url.description }
    let planned = PlannedTransfer(
      path: path, wantedName: wantedName ?? name, total: total, step: step,
      mediaType: answer?.mediaType, finalURL: finalURL, continuation: continuation,
      acceptsRanges: answer?.acceptsRanges,
      digests: request.digest.map { [$0] } ?? (isCoded ? [] : version.digests))
    end(.planned(planned), .keep)
  }
}
