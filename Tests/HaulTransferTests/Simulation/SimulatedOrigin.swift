import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization

/// A server that does whatever servers do, at random, but never lies where nobody could notice:
/// equal strong validators mean equal bytes, and a `Content-Range` that looks right is right.
final class SimulatedOrigin: Sendable {
  enum Validators: CaseIterable {
    case strongTag, weakTag, strongDate, weakDate, none
    /// Nodes of one service give one version several strong tags (R5).
    case nodeTags
  }

  enum DigestField: CaseIterable { case none, right, wrong }

  struct Traits {
    var validators = Validators.strongTag
    var digest = DigestField.none
    var honoursRange = 1.0
    var honoursIfRange = true
    var faults = 0.0
    var changes = 0.0
    /// The chance that an answer comes from a node with an older version.
    var stale = 0.0
    /// From this request on it is at rest, and does everything right.
    var calmAfter = 60
  }

  private let random: SeededRandom
  private let seed: UInt64
  let traits: Traits
  private let contents: Mutex<[OriginContent]>
  private let count = Atomic(0)

  /// Origins of the same `contentSeed` and size have the same versions, whatever else they do.
  init(seed: UInt64, contentSeed: UInt64? = nil, traits: Traits, size: Int64) {
    random = SeededRandom(seed: seed ^ 0xABCD)
    self.seed = contentSeed ?? seed
    self.traits = traits
    contents = Mutex([OriginContent(size: size, seed: seed)])
  }

  /// Every version that ever stood here.
  var versions: [OriginContent] { contents.withLock { $0 } }

  var requestCount: Int { count.load(ordering: .relaxed) }

  private func happens(_ chance: Double) -> Bool { random.unit() < chance }
  private func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

  /// The file is replaced by another: of the same size, shorter, or longer.
  func change() {
    contents.withLock { contents in
      let old = contents[contents.count - 1]
      guard contents.count < 50 else { return }
      let size =
        happens(0.5) ? old.size : max(0, old.size + Int64(draw(2000)) - 1000)
      contents.append(
        OriginContent(size: size, seed: seed, version: UInt8(contents.count)))
    }
  }

  func answer(_ request: FakeTransport.Request) -> FakeAnswer {
    let isCalm = count.add(1, ordering: .relaxed).newValue > traits.calmAfter
    if !isCalm {
      if happens(traits.changes) { change() }
      if happens(traits.faults), let refusal = refusal(request) { return refusal }
    }
    let all = versions
    let number = !isCalm && happens(traits.stale) ? draw(all.count) : all.count - 1
    return file(all[number], number, request, isCalm: isCalm)
  }

  /// Answers that are no file.
  private func refusal(_ request: FakeTransport.Request) -> FakeAnswer? {
    switch draw(16) {
    case 0: FakeAnswer(503, [("Retry-After", "\(draw(3000))"), ("Content-Length", "0")])
    case 1: FakeAnswer(503, [("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")])
    case 2: FakeAnswer(429, [("Retry-After", "99999999999999999999")])
    case 3: FakeAnswer(500, [("Content-Type", "text/html")], body: Array("<p>no</p>".utf8))
    case 4: .failure(.timeout)
    case 5: .failure(.connectionFailed)
    case 6: FakeAnswer([], outcome: .complete)
    case 7 where !request.message.url.hasSuffix("/elsewhere"):
      FakeAnswer(302, [("Location", "/elsewhere")], body: [UInt8](repeating: 60, count: draw(900)))
    case 8 where draw(6) == 0: FakeAnswer(404, body: Array("nothing here".utf8))
    default: nil
    }
  }

  private func fields(_ number: Int, _ content: OriginContent) -> [(String, String)] {
    var fields: [(String, String)] = []
    switch traits.validators {
    case .strongTag: fields = [("ETag", "\"v\(number)\"")]
    case .nodeTags: fields = [("ETag", "\"v\(number)-\(draw(2))\"")]
    case .weakTag: fields = [("ETag", "W/\"same\"")]
    case .strongDate:
      let second = number < 10 ? "0\(number)" : "\(number)"
      fields = [
        ("Last-Modified", "Sun, 06 Nov 1994 08:49:\(second) GMT"),
        ("Date", "Mon, 07 Nov 1994 08:49:37 GMT"),
      ]
    case .weakDate:
      fields = [
        ("Last-Modified", "Sun, 06 Nov 1994 08:49:30 GMT"),
        ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ]
    case .none: break
    }
    if traits.digest != .none {
      let digest = traits.digest == .right ? content : content.changed
      fields.append(("Repr-Digest", "sha-256=:\(digest.base64SHA256):"))
    }
    return fields
  }

  private func file(
    _ content: OriginContent, _ number: Int, _ request: FakeTransport.Request, isCalm: Bool
  ) -> FakeAnswer {
    let fields = fields(number, content)
    let condition = request.header("If-Range")
    let matches =
      condition == nil || fields.contains { $0.1 == condition }
      || (!isCalm && !traits.honoursIfRange)
    guard let range = request.range, matches, isCalm || happens(traits.honoursRange) else {
      return whole(content, fields, isCalm: isCalm)
    }
    if range.first >= content.size || (!isCalm && happens(traits.faults / 10)) {
      return FakeAnswer(416, fields + [("Content-Range", "bytes */\(content.size)")])
    }
    return part(content, range, fields, isCalm: isCalm)
  }

  private func whole(
    _ content: OriginContent, _ fields: [(String, String)], isCalm: Bool
  ) -> FakeAnswer {
    let body = content.bytes()
    let isCut = !isCalm && happens(traits.faults)
    let outcome = isCut ? TransportOutcome.lost() : .complete
    let sent = isCut ? Array(body.prefix(draw(body.count))) : body
    switch isCalm ? 0 : draw(4) {
    case 1:
      return paced(
        200, fields + [("Transfer-Encoding", "chunked")], sent, outcome: outcome)
    case 2:
      return paced(200, fields, sent, version: .http10, outcome: outcome)
    default:
      return paced(
        200, fields + [("Content-Length", "\(body.count)")], sent, outcome: outcome)
    }
  }

  private func part(
    _ content: OriginContent, _ asked: (first: Int64, last: Int64?),
    _ fields: [(String, String)], isCalm: Bool
  ) -> FakeAnswer {
    let total = content.size
    var range = asked.first..<max(asked.first + 1, min(total, (asked.last ?? total - 1) + 1))
    var said: String?
    var body: [UInt8]?
    var extra: [(String, String)] = [("Transfer-Encoding", "chunked")]
    var outcome = TransportOutcome.complete
    if !isCalm, happens(traits.faults) {
      switch draw(12) {
      case 0: range = range.lowerBound..<range.lowerBound + 1 + Int64(draw(range.count))
      case 1:
        // From elsewhere, and honest about it.
        let start = Int64(draw(Int(total)))
        range = start..<total
      case 2: range = 0..<total
      case 3: said = ""
      case 4: said = "bytes */\(total)"
      case 5: said = "items \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
      case 6: said = "Bytes \(range.lowerBound)-\(range.upperBound - 1)/*"
      case 7: extra.append(("Content-Type", "multipart/byteranges; boundary=x"))
      case 8: body = content.bytes(in: range) + [UInt8](repeating: 0xEE, count: 1 + draw(5000))
      case 9: body = Array(content.bytes(in: range).prefix(draw(range.count)))
      case 10: extra.append(("Content-Range", "bytes 0-0/1"))
      default:
        body = Array(content.bytes(in: range).prefix(draw(range.count)))
        outcome = .lost()
      }
    }
    let value = said ?? "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    if !value.isEmpty { extra.append(("Content-Range", value)) }
    return paced(206, fields + extra, body ?? content.bytes(in: range), outcome: outcome)
  }

  /// An answer that pauses somewhere, now and then for longer than a checkpoint's second.
  private func paced(
    _ status: Int, _ fields: [(String, String)], _ body: [UInt8],
    version: HTTPVersion = .http11, outcome: TransportOutcome
  ) -> FakeAnswer {
    let head = ResponseHead(
      version: version, status: status,
      fields: HeaderFields(fields.map { HeaderField(name: $0.0, value: $0.1) }))
    let cut = draw(body.count + 1)
    return FakeAnswer(
      [
        .silence(random.unit()), .head(head), .bytes(Array(body[..<cut])),
        .silence(happens(0.3) ? random.unit() * 4 : 0), .bytes(Array(body[cut...])),
      ], outcome: outcome)
  }
}

extension SimulatedOrigin.Traits {
  /// Draws a server.
  init(drawnFrom random: SeededRandom) {
    validators = random.pick(SimulatedOrigin.Validators.allCases)
    digest = random.happens(0.3) ? random.pick(SimulatedOrigin.DigestField.allCases) : .none
    honoursRange = random.pick([1, 1, 1, 0.7, 0])
    honoursIfRange = random.happens(0.7)
    faults = random.pick([0, 0.1, 0.3, 0.6])
    changes = random.pick([0, 0, 0.1, 0.4])
    stale = random.pick([0, 0, 0, 0.3])
    calmAfter = random.pick([0, 8, 60])
  }
}
