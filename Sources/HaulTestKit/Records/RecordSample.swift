internal import HaulHTTP
public import HaulRecords

/// Records for tests; the same seed gives the same ones.
public struct RecordSample: Sendable {
  private let random: SeededRandom

  /// Makes a source of records.
  public init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// A number below a bound.
  public func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

  /// One of several things; there has to be one.
  public func pick<Value>(_ values: [Value]) -> Value { values[draw(values.count)] }

  /// A new id.
  public func id() -> DownloadID { DownloadID.random { random.next() } }

  /// A plain record that waits, as a list is full of.
  public func waiting(position: Int64) throws -> DownloadRecord {
    let number = random.next() % 1_000_000
    var record = DownloadRecord(
      id: id(),
      url: try HTTPURL(parsing: "https://host\(number % 50).example/pub/file-\(number).iso"),
      folder: try RecordPath(base: "downloads", relative: "pub"))
    record.position = position
    record.state = .waiting
    record.added = 1_790_000_000_000 + position % 1_000_000
    record.updated = record.added
    return record
  }

  /// A record with anything in it that is allowed, and few enough different values that some are equal.
  public func any() throws -> DownloadRecord {
    let path = pick(["", "/", "/a.iso", "/A%20b.iso", "/100%25_\\'\"", "/ü%c3%bc.bin", "/x/y/z"])
    let query = pick(["", "?q=1&sig=abc", "#part", "?%"])
    let url = try HTTPURL(
      parsing: pick(["https://a.example", "http://b.example:81"]) + path + query)
    var record = DownloadRecord(
      id: id(), url: url,
      folder: try RecordPath(
        base: pick(["downloads", "cache-2"]), relative: pick(["", "a", "ä/b"])))
    record.position = pick([.min, -1, 0, 1, 2, 3, .max])
    record.priority = pick([.min, -1, 0, 1, .max])
    record.state = pick(DownloadState.allCases)
    record.attempt = pick([0, 1, 2, .max])
    record.wantedName = pick([nil, "", "name_1", "NAME%1", "n\u{301}ame", "\u{1F9FF}"])
    let file = pick([nil, "a/b.iso", "q"])
    record.file = try file.map { try RecordPath(base: record.folder.base, relative: $0) }
    record.total = pick([nil, 0, 1, 7, .max])
    record.received = min(pick([0, 1, 5, .max]), record.total ?? .max)
    record.failure = pick([nil, RecordFailure(code: "http-status", message: "404\0 \"gone\"")])
    record.added = pick([0, 1, 1_790_000_000_000])
    record.updated = pick([0, .max])
    record.finished = pick([nil, 5])
    if draw(2) == 0 { record.options = try options() }
    return record
  }

  private func options() throws -> DownloadOptions {
    var options = DownloadOptions()
    options.mirrors = try pick([[], ["https://m.example/x?y#z", "http://n.example"]]).map {
      try HTTPURL(parsing: $0)
    }
    let digest = Digest(parsing: "md5=00112233445566778899aabbccddeeff")
    options.digests = pick([[], [digest].compactMap(\.self)])
    options.namePolicy = pick(NamePolicy.allCases)
    options.headers = pick([[], [HeaderField(name: "X-\u{E4}", value: "\"\\/\u{1}\u{2028}")]])
    options.connections = pick([nil, 1, .max])
    options.rateLimit = pick([nil, 1, .max])
    return options
  }
}
