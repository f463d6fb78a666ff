internal import Synchronization

/// A resource that the test replaces while the origin runs.
///
/// An answer that has begun goes on with the version that it began with.
public final class VersionedResource: Sendable {
  private let resource: Mutex<OriginResource>

  /// Makes it with the first version.
  public init(_ resource: OriginResource) {
    self.resource = Mutex(resource)
  }

  /// The version that is served now.
  public var current: OriginResource { resource.withLock { $0 } }

  /// Serves another version from now on.
  public func replace(with other: OriginResource) {
    resource.withLock { $0 = other }
  }

  /// Answers a request with the version that is served now.
  public func respond(to request: OriginRequest) -> OriginResponse {
    current.respond(to: request)
  }
}
