import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// Invariant I4, by a table: whatever validators the server sends before and after, whether the
/// bytes and the total changed, whether a digest is known, and however it answers a range, the
/// file is right byte for byte, of one version, or there is none.
@Suite struct VersionTableCases {
  @Test(arguments: RangeManner.allCases, OwnerRule.allCases)
  func theFileIsOfOneVersion(manner: RangeManner, rule: OwnerRule) async throws {
    let content = OriginContent(size: 20_000, seed: 3)
    let served = Mutex(Served(resource: OriginResource(content), cut: nil))
    let origin = try HostileOrigin { request in
      let served = served.withLock { $0 }
      if let cut = served.cut { return served.resource.respond(to: request).resetting(after: cut) }
      return manner.answer(request, served.resource)
    }
    for (before, afters) in Validation.pairs {
      let left = try Scene(content)
      let old = before.resource(content, rule)
      served.withLock { $0 = Served(resource: old, cut: 11_000) }
      try await left.leavePart(origin) { rule.set(&$0, content.digest()) }
      for after in afters {
        for change in Change.allCases {
          let row = Row(before: before, after: after, change: change)
          guard !row.isUndetectable(manner, rule) else { continue }
          let new = after.resource(change.apply(to: content), rule)
          served.withLock { $0 = Served(resource: new, cut: nil) }
          try await run(row, rule, origin, left, new.content)
        }
      }
    }
  }

  struct Served {
    var resource: OriginResource
    var cut: Int64?
  }

  struct Row: CustomStringConvertible {
    var before: Validation
    var after: Validation
    var change: Change
    var description: String { "\(before) → \(after), \(change)" }

    /// A server that swears by a strong validator that nothing changed, and lies, is found out by
    /// a digest only.
    func isUndetectable(_ manner: RangeManner, _ rule: OwnerRule) -> Bool {
      before.isStrong && before.names(after) && change == .bytes && rule != .digest
        && rule != .serverDigest && manner.sendsValidators
    }
  }

  private func run(
    _ row: Row, _ rule: OwnerRule, _ origin: HostileOrigin, _ left: Scene, _ new: OriginContent
  ) async throws {
    let scene = try Scene(left.content)
    try left.folder.copy(to: scene.folder)
    let first = origin.requests.count
    let (result, ear) = try await scene.fetch(origin) { rule.set(&$0, new.digest()) }

    // The server hands out the whole file to whoever asks for it, so there is a way each time.
    #expect(result.finished != nil, "\(row): \(result)")
    let difference = new.difference(path: scene.folder.file("file"))
    #expect(difference == nil, "\(row)")
    #expect(scene.folder.names == ["file"], "\(row)")
    let ranges = origin.ranges.dropFirst(first)
    if Connections.count == 1 {
      #expect(ranges.count <= 4, "\(row): \(ranges)")
    }
    #expect(ear.restarts.count <= 1, "\(row): \(ear.restarts)")
    let verified: Verification? =
      rule == .digest || rule == .serverDigest
      ? .digest
      : rule == .overlap && ear.restarts.isEmpty && !row.before.isStrong ? .overlap : .length
    #expect(result.finished?.verification == verified, "\(row)")
    if ear.restarts.isEmpty, rule == .plain || rule == .strict {
      #expect(row.before.isStrong && row.before.names(row.after), "\(row) was joined")
    }
  }
}

/// What a server says of the version of its file.
enum Validation: CaseIterable, Sendable {
  case nothing, strongA, strongB, weakA, weakB, strongAndDate
  case date, laterDate, dateWithoutDate, freshDate

  /// Which of them follow each other in the table.
  static let pairs: [(Validation, [Validation])] = [
    (.nothing, [.nothing, .strongA]),
    (.strongA, [.strongA, .strongB, .nothing, .weakA]),
    (.weakA, [.weakA, .weakB, .strongA]),
    (.strongAndDate, [.strongAndDate, .date]),
    (.date, [.date, .laterDate, .strongAndDate, .freshDate]),
    (.dateWithoutDate, [.dateWithoutDate, .date]),
    (.freshDate, [.freshDate, .date]),
  ]

  /// Whether answers may be combined by it.
  var isStrong: Bool {
    switch self {
    case .strongA, .strongB, .strongAndDate, .date, .laterDate: true
    case .nothing, .weakA, .weakB, .dateWithoutDate, .freshDate: false
    }
  }

  private var tag: String? {
    switch self {
    case .strongA, .strongAndDate: "\"a\""
    case .strongB: "\"b\""
    case .weakA: "W/\"a\""
    case .weakB: "W/\"b\""
    case .nothing, .date, .laterDate, .dateWithoutDate, .freshDate: nil
    }
  }

  private var lastModified: Int64? {
    switch self {
    case .nothing, .strongA, .strongB, .weakA, .weakB: nil
    case .strongAndDate, .date, .dateWithoutDate, .freshDate: 1_700_000_000
    case .laterDate: 1_700_000_120
    }
  }

  /// Whether the other answer carries the validator by which this one would be continued.
  func names(_ other: Validation) -> Bool {
    if let tag { return tag == other.tag }
    return lastModified != nil && lastModified == other.lastModified
  }

  func resource(_ content: OriginContent, _ rule: OwnerRule) -> OriginResource {
    var resource = OriginResource(content, etag: tag, lastModified: lastModified)
    switch self {
    case .dateWithoutDate: resource.date = .absent
    case .freshDate: resource.date = .at(1_700_000_030)
    default: break
    }
    if rule == .serverDigest {
      resource.fields.append(OriginField("Repr-Digest", content.digest().structured))
    }
    return resource
  }
}

/// What became of the file between the two runs.
enum Change: CaseIterable, Sendable {
  case none, bytes, longer, shorter, bytesAndTotal, prefixOfWhatIsStored

  func apply(to content: OriginContent) -> OriginContent {
    switch self {
    case .none: content
    case .bytes: content.changed
    case .longer: content.resized(to: content.size + 700)
    case .shorter: content.resized(to: content.size - 700)
    case .bytesAndTotal: content.changed.resized(to: content.size + 1)
    case .prefixOfWhatIsStored: content.changed.resized(to: 11_000)
    }
  }
}

/// What the owner knows or allows.
enum OwnerRule: CaseIterable, Sendable {
  case plain, strict, overlap, digest, serverDigest

  func set(_ request: inout TransferRequest, _ digest: Digest) {
    request.destination.isDurable = false
    request.isStrict = self == .strict
    request.trustsOverlap = self == .overlap
    if self == .digest { request.digest = digest }
  }
}

/// How a server answers requests for a range; whole files it sends as they are.
enum RangeManner: CaseIterable, Sendable {
  case honours, ignores, ignoresIfRange, ignoresIfRangeWithoutValidator, sendsWhole, hidesTotal
  case startsElsewhere, isShort, refuses, refusesWithTotal

  /// Whether an answer to a range can look like one of the version on disk.
  var sendsValidators: Bool {
    switch self {
    case .honours, .ignoresIfRange, .sendsWhole, .hidesTotal, .isShort: true
    default: false
    }
  }

  func answer(_ request: OriginRequest, _ resource: OriginResource) -> OriginResponse {
    guard let asked = request.range, request.header("Range") != nil else {
      return resource.respond(to: request)
    }
    var free = request
    free.fields = HeaderFields(request.fields.fields.filter { $0.name != "If-Range" })
    let answer = resource.respond(to: free)
    switch self {
    case .honours: return resource.respond(to: request)
    case .ignores: return resource.ignoringRanges().respond(to: request)
    case .ignoresIfRange: return answer
    case .ignoresIfRangeWithoutValidator: return answer.without("ETag").without("Last-Modified")
    case .sendsWhole: return resource.respond(to: free.asking(for: OriginRange(first: 0)))
    case .hidesTotal:
      guard answer.status == 206 else { return answer }
      let size = resource.content.size
      return answer.wrongContentRange("bytes \(asked.first)-\(size - 1)/*")
    case .startsElsewhere:
      let other = OriginRange(first: max(0, asked.first - 10))
      return resource.respond(to: free.asking(for: other))
    case .isShort: return answer.status == 206 ? answer.shortened(by: 3000) : answer
    case .refuses: return OriginResponse(status: 416, text: "<html>no</html>")
    case .refusesWithTotal:
      return OriginResponse(
        status: 416, fields: [OriginField("Content-Range", "bytes */\(asked.first)")])
    }
  }
}
