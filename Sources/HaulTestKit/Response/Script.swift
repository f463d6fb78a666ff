internal import Synchronization

/// Answers the first requests in one way and later ones in another.
///
/// It counts the requests that are put to it, so each path of an origin can have its own:
///
/// ```swift
/// let script = Script(
///   .next(2) { file.respond(to: $0).resetting(after: 500) },
///   .next { _ in OriginResponse(status: 503, text: "busy") },
///   finally: { file.respond(to: $0) })
/// let origin = try HostileOrigin { script.respond(to: $0) }
/// ```
public final class Script: Sendable {
  /// Makes an answer of a request.
  public typealias Handler = @Sendable (OriginRequest) -> OriginResponse

  /// A part of a script: some requests and how they are answered.
  public struct Part: Sendable {
    let count: Int
    let handler: Handler

    /// The next request, or the next few of them.
    public static func next(_ count: Int = 1, _ handler: @escaping Handler) -> Part {
      Part(count: count, handler: handler)
    }
  }

  private let parts: [Part]
  private let last: Handler
  private let asked = Mutex(0)

  /// Makes a script; requests after all its parts go to the last handler.
  public init(_ parts: Part..., finally last: @escaping Handler) {
    self.parts = parts
    self.last = last
  }

  /// How many requests were put to the script so far.
  public var requestCount: Int { asked.withLock { $0 } }

  /// Answers a request by its place in the script.
  public func respond(to request: OriginRequest) -> OriginResponse {
    var index = asked.withLock { count in
      defer { count += 1 }
      return count
    }
    for part in parts {
      if index < part.count { return part.handler(request) }
      index -= part.count
    }
    return last(request)
  }
}
