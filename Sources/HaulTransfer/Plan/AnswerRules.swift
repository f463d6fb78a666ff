internal import HaulHTTP

/// What a request asked for.
struct Asked: Sendable, Hashable {
  /// The first position asked for; nil when the whole file was asked for.
  var start: Int64?
  /// The end asked for, or nil for the end of the file.
  var end: Int64?
  /// How many bytes from `start` on are asked for only to be compared with those on disk.
  var overlap: Int64 = 0
  /// The file that is there, where all that is wanted is to know whether it is the same.
  var comparing: LikelyFile?

  static let whole = Asked(start: nil, end: nil)
}

/// Where the bytes of an answer go.
struct Landing: Sendable, Hashable {
  /// The position of the first byte that is stored.
  var start: Int64
  /// The end of what may be stored, or nil while the length is not known.
  var end: Int64?
  /// The bytes at the start of the body that are passed over.
  var skipped: Int64 = 0
  /// The bytes after those that must equal the bytes on disk before `start`.
  var overlap: Int64 = 0
  /// The coding to undo.
  var coding: ContentCoding = .identity
  /// What the server says of the bytes in the body of a partial answer.
  var claims: [RangeClaim] = []
}

/// A digest that some bytes of the file must have.
struct RangeClaim: Sendable, Hashable {
  var range: Range<Int64>
  var digest: Digest
}

/// What is to be done with an answer, judged before any byte of it is stored.
enum AnswerVerdict: Sendable, Hashable {
  /// The body is the whole file, of this version.
  case whole(FileVersion, Landing)
  /// The body continues what is stored, which from now on has this version.
  case part(FileVersion, Landing)
  /// Everything is stored already; the total is confirmed.
  case complete(total: Int64)
  /// The answer is of another version than what is stored.
  case changed
  /// The answer to a range makes no sense.
  case badRange(String)
  /// The range cannot be had; the whole file may.
  case rangeRefused
  /// The answer is no file that anyone would want here.
  case failed(TransferFailure.Code, String)
}

/// How answers are compared with what is stored: invariants I3 and I4.
struct AnswerRules: Sendable {
  /// Whether the owner gave a digest of the whole file.
  var hasDigest: Bool
  /// Never combine without a strong validator.
  var isStrict: Bool
  /// Combine when the bytes before the seam are equal.
  var trustsOverlap: Bool
  /// The bytes are passed on as they come: no digest can take them back, so none lets them be
  /// combined.
  var isPassingOn = false

  /// How answers may be combined with what is stored.
  enum Combining: Sendable, Hashable {
    case byValidator, byDigest, byOverlap, never

    /// Whether answers may be combined wherever they lie.
    var isSure: Bool { self == .byValidator || self == .byDigest }
  }

  /// How a further answer may be combined with bytes of this version (I4).
  func combining(_ version: FileVersion) -> Combining {
    if version.validator != nil { return .byValidator }
    if isStrict { return .never }
    if !isPassingOn, hasDigest || !version.digests.isEmpty { return .byDigest }
    // Bytes that were joined since a digest was to be checked are in doubt without it, and an
    // overlap says nothing of their seam.
    let isInDoubt = version.isCombined && !version.isJoinedByOverlap
    return trustsOverlap && version.total != nil && !isInDoubt ? .byOverlap : .never
  }

  /// Whether a whole answer is surely of the version that is stored, so that its bytes may follow.
  func isSurelySame(_ new: FileVersion, as stored: FileVersion) -> Bool {
    stored.validator != nil && new.validator == stored.validator && !contradicts(new, stored)
  }

  /// Whether a whole answer is surely of another version than what is stored.
  func contradicts(_ new: FileVersion, _ stored: FileVersion) -> Bool {
    if let known = stored.total, let said = new.total, known != said { return true }
    if let known = stored.validator, let said = new.validator, known != said { return true }
    return new.digests.contains { said in
      stored.digests.contains { $0.algorithm == said.algorithm && $0 != said }
    }
  }

  /// Whether bytes of this version may be published once all of them are there.
  func mayPublish(_ version: FileVersion) -> Bool {
    !version.isCombined || combining(version) != .never
  }

  /// Judges a 200 or 203 answer: its body is the whole file.
  ///
  /// With `isPackedFile` the file is the packed one that is sent, though the server says that it
  /// packed another one for the way.
  func judgeWhole(
    _ head: ResponseHead, now: Int64, isPackedFile: Bool = false
  ) throws(MalformedField) -> AnswerVerdict {
    let framing = try BodyFraming.of(head)
    if let name = BodyFraming.unknownCoding(head.fields) {
      return .failed(.badCoding, "the server sent the unknown transfer coding \(name)")
    }
    let coding = ContentCoding.parse(head.fields)
    if case .unsupported(let name) = coding {
      return .failed(.badCoding, "the server sent the unknown content coding \(name)")
    }
    guard coding == .identity || isPackedFile else {
      // Neither the length nor any position of the decoded file is known (L6).
      return .whole(
        FileVersion(digests: digests(head)), Landing(start: 0, coding: coding))
    }
    var total: Int64?
    if case .length(let length) = framing { total = length }
    var version = version(head, total: total, now: now)
    if coding != .identity {
      // Some servers give the packed and the plain bytes one validator: nothing is joined by it.
      (version.validator, version.weakTag) = (nil, nil)
    }
    return .whole(version, Landing(start: 0, end: total))
  }

  private func version(_ head: ResponseHead, total: Int64?, now: Int64) -> FileVersion {
    let validators = Validators(head.fields, now: now)
    return FileVersion(
      total: total, validator: validators.strong,
      weakTag: validators.entityTag.flatMap { $0.isWeak ? $0.fieldValue : nil },
      lastModified: validators.lastModified, digests: digests(head))
  }

  /// The strong validator of an answer, or nil.
  func validator(_ head: ResponseHead, now: Int64) -> StrongValidator? {
    Validators(head.fields, now: now).strong
  }

  /// The digests of a body that is the whole file.
  private func digests(_ head: ResponseHead) -> [Digest] {
    DigestFields.claims(in: head.fields).map(\.digest).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// Judges a 206 answer to a request for a range, against the version that is stored.
  func judgePart(
    _ head: ResponseHead, asked: Asked, stored: FileVersion, now: Int64
  ) -> AnswerVerdict {
    if let type = head.fields.first("Content-Type").flatMap(MediaType.init(parsing:)),
      type.essence == "multipart/byteranges"
    {
      return .badRange("a multipart answer to a request for one range")
    }
    guard ContentCoding.parse(head.fields) == .identity else {
      return .badRange("a coded answer to a request for a range")
    }
    if let name = BodyFraming.unknownCoding(head.fields) {
      return .failed(.badCoding, "the server sent the unknown transfer coding \(name)")
    }
    guard let value = head.fields.first("Content-Range"),
      head.fields.all("Content-Range").count == 1
    else { return .badRange("a partial answer without one Content-Range") }
    guard case .range(let range, let total)? = ContentRange.parse(value) else {
      let shown = MalformedField(name: "Content-Range", value: value).value
      return .badRange("a partial answer with the Content-Range “\(shown)”")
    }
    if case .length(let length)? = try? BodyFraming.of(head),
      length != range.upperBound - range.lowerBound
    {
      // Whichever is wrong, nobody knows where the bytes of this body belong.
      return .badRange("\(length) bytes as a part that should have another length")
    }
    let coversWhole = range.lowerBound == 0 && total == range.upperBound
    guard let start = asked.start else {
      // Nothing but the whole file was asked for, and only the whole file is of use.
      guard coversWhole, let total else {
        return .badRange("a partial answer to a request for the whole file")
      }
      return .whole(version(head, total: total, now: now), Landing(start: 0, end: total))
    }
    guard range.lowerBound == start || (coversWhole && range.upperBound > start) else {
      return .badRange("bytes from \(range.lowerBound) on, where \(start) was asked for")
    }
    if let known = stored.total, range.upperBound > known { return .changed }
    switch compare(head, total: total, overlap: asked.overlap, stored: stored, now: now) {
    case .changed: return .changed
    case .unusable(let why): return .badRange(why)
    case .same(var version):
      version.isCombined = true
      let isCompared = combining(stored) == .byOverlap
      if isCompared { version.isJoinedByOverlap = true }
      let end = min(asked.end ?? .max, range.upperBound, version.total ?? .max)
      let compared = isCompared ? asked.overlap : 0
      let landing = Landing(
        start: start + asked.overlap, end: end,
        skipped: start + asked.overlap - compared - range.lowerBound, overlap: compared,
        claims: rangeClaims(head, range))
      guard end > landing.start else {
        // Only with the validator repeated does it say that what is stored is all of this file.
        if !isCompared, let total, total == landing.start { return .complete(total: total) }
        return .badRange("a partial answer with nothing new")
      }
      return .part(version, landing)
    }
  }

  /// Judges a 206 answer to the question whether a file that is there is the same: its version when
  /// size and time are equal, or else nil.
  func judgeComparison(_ head: ResponseHead, with file: LikelyFile, now: Int64) -> FileVersion? {
    guard ContentCoding.parse(head.fields) == .identity,
      head.fields.all("Content-Range").count == 1,
      let value = head.fields.first("Content-Range"),
      case .range(let range, let total?)? = ContentRange.parse(value), total == file.byteCount,
      range == total - 1..<total
    else { return nil }
    var version = version(head, total: total, now: now)
    // What covers the content of this answer says nothing of the file.
    version.digests = DigestFields.claims(in: head.fields)
      .filter { $0.scope == .representation }.map(\.digest)
    return version.lastModified == file.modified ? version : nil
  }

  private func rangeClaims(_ head: ResponseHead, _ range: Range<Int64>) -> [RangeClaim] {
    DigestFields.claims(in: head.fields).filter { $0.scope == .content }.map {
      RangeClaim(range: range, digest: $0.digest)
    }
  }

  /// Judges a 416 answer to a request for a range.
  func judgeUnsatisfied(
    _ head: ResponseHead, asked: Asked, stored: FileVersion, now: Int64
  ) -> AnswerVerdict {
    guard let start = asked.start, asked.overlap == 0, stored.total ?? start == start,
      let value = head.fields.first("Content-Range"),
      case .unsatisfied(let total?)? = ContentRange.parse(value), total == start
    else { return .rangeRefused }
    let validators = Validators(head.fields, now: now)
    // The validator went out as If-Range, so a 416 confirms it, unless it names another one.
    guard combining(stored) != .never else { return .rangeRefused }
    if case .entityTag(let tag)? = stored.validator, let sent = validators.entityTag,
      sent.fieldValue != tag
    {
      return .changed
    }
    if case .lastModified(let date)? = stored.validator,
      let sent = validators.lastModifiedText, sent != date
    {
      return .changed
    }
    return .complete(total: total)
  }

  private enum Comparison {
    case same(FileVersion)
    case changed
    case unusable(String)
  }

  private func compare(
    _ head: ResponseHead, total: Int64?, overlap: Int64, stored: FileVersion, now: Int64
  ) -> Comparison {
    var version = stored
    if let total {
      guard stored.total ?? total == total else { return .changed }
      version.total = total
    }
    // Representation digests are of the whole file: another one means another file.
    let claims = DigestFields.claims(in: head.fields).filter { $0.scope == .representation }
    for claim in claims {
      let known = stored.digests.first { $0.algorithm == claim.digest.algorithm }
      if let known, known != claim.digest { return .changed }
    }
    let validators = Validators(head.fields, now: now)
    switch combining(stored) {
    case .byValidator:
      guard let sent = answerValidator(validators, like: stored.validator) else {
        // A 206 to If-Range must repeat the validator (RFC 9110 §15.3.7); one that does not
        // proves nothing.
        return .unusable("a partial answer without the validator of the file")
      }
      if sent == stored.validator {
        // Of the same version, and so one more proof of the whole.
        for claim in claims where !version.digests.contains(claim.digest) {
          version.digests.append(claim.digest)
        }
        return .same(version)
      }
      // Nodes of one service may disagree on tags while a digest rules (R5).
      guard hasDigest, !isStrict, !isPassingOn else { return .changed }
      return .same(inDoubt(version))
    case .byDigest:
      return .same(inDoubt(version))
    case .byOverlap:
      guard overlap > 0 else { return .unusable("a partial answer that overlaps with nothing") }
      // An equal overlap does not outweigh the server's own word that the file was changed.
      if let known = stored.lastModified, let sent = validators.lastModified, known != sent {
        return .changed
      }
      if let known = stored.weakTag.flatMap(EntityTag.init(parsing:)),
        let sent = validators.entityTag, !sent.matchesWeakly(known)
      {
        return .changed
      }
      return total == nil ? .unusable("a partial answer without a total") : .same(version)
    case .never:
      return .unusable("a partial answer that nothing connects with the bytes on disk")
    }
  }

  /// The version of bytes that nothing but a digest vouches for any more: neither a later answer
  /// nor a later run without that digest may rely on their validator or their overlap.
  private func inDoubt(_ version: FileVersion) -> FileVersion {
    var version = version
    version.validator = nil
    version.isJoinedByOverlap = false
    return version
  }

  /// The validator of an answer in the form in which the stored one is compared.
  private func answerValidator(
    _ validators: Validators, like stored: StrongValidator?
  ) -> StrongValidator? {
    switch stored {
    case .entityTag: validators.entityTag.map { .entityTag($0.fieldValue) }
    case .lastModified: validators.lastModifiedText.map(StrongValidator.lastModified)
    case nil: nil
    }
  }
}
