public import HaulHTTP

/// A request as it arrived at an origin or a proxy of the test kit.
public struct OriginRequest: Sendable, Hashable {
  /// The method.
  public var method: String
  /// The request target as sent, with its query: `/file?x=1`.
  public var target: String
  /// The header section.
  public var fields: HeaderFields
  /// The body; empty when there was none.
  public var body: [UInt8]
  /// The number of this request among all of the server, from 0.
  public var index: Int
  /// The number of its connection among all of the server, from 0.
  public var connection: Int
  /// The number of this request among those of its connection, from 0.
  public var connectionRequestIndex: Int

  /// How many requests the origin was answering when this one arrived, itself included: a server
  /// that refuses the n-th connection goes by it.
  public var concurrent: Int

  /// Makes a request, for tests of handlers without a network.
  public init(
    method: String = "GET", target: String = "/", fields: HeaderFields = HeaderFields(),
    body: [UInt8] = [], index: Int = 0, connection: Int = 0, connectionRequestIndex: Int = 0,
    concurrent: Int = 1
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.body = body
    self.index = index
    self.connection = connection
    self.connectionRequestIndex = connectionRequestIndex
    self.concurrent = concurrent
  }

  /// The value of the first field of this name, in any case of letters, or nil.
  public func header(_ name: String) -> String? {
    fields.first(name)
  }

  /// The target without its query.
  public var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The query without the question mark, or nil.
  public var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The range asked for, or nil when the request has none, or another form of it.
  public var range: OriginRange? {
    header("Range").flatMap(OriginRange.init)
  }

  /// The same request with another `Range`, or with none.
  ///
  /// It makes a well-behaved resource answer something that was not asked for:
  ///
  /// ```swift
  /// // A 206 with the whole file to every range.
  /// file.respond(to: request.asking(for: OriginRange(first: 0)))
  /// ```
  public func asking(for range: OriginRange?) -> OriginRequest {
    var copy = self
    copy.fields = HeaderFields(fields.fields.filter { !$0.name.equalsIgnoringASCIICase("Range") })
    if let range { copy.fields.append(name: "Range", value: range.fieldValue) }
    return copy
  }
}
