/// Whether a redirect is followed (RFC 9110 §15.4). How many, and loops, are the caller's concern.
public enum Redirect {
  /// Why a redirect is not followed.
  public enum RefusalReason: Sendable, Hashable {
    /// There is no `Location`, or it is empty.
    case noLocation
    /// `Location` is no address.
    case malformedLocation
    /// The new address has this scheme, in lower case, which is neither `http` nor `https`.
    case scheme(String)
    /// The redirect leads from `https` to `http`.
    case downgrade
  }

  /// What to do about a redirect.
  public enum Decision: Sendable, Hashable {
    /// Ask for this address instead.
    case follow(HTTPURL)
    /// Do not follow.
    case refused(RefusalReason)
  }

  /// What to do about an answer.
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - location: Its `Location` field, or nil.
  ///   - from: The address that was asked for.
  ///   - allowsDowngrade: Whether leading from `https` to `http` is allowed.
  /// - Returns: nil unless the status is 301, 302, 303, 307 or 308.
  public static func decide(
    status: Int, location: String?, from: HTTPURL, allowsDowngrade: Bool
  ) -> Decision? {
    guard StatusKind(status) == .redirect else { return nil }
    guard let location, !location.trimmingFieldSpace.isEmpty else { return .refused(.noLocation) }
    do throws(AddressError) {
      // The scheme comes first: `file:///x` has no host, but its scheme is what is wrong with it.
      let scheme = try URLReference(parsing: location).scheme ?? from.scheme
      guard scheme == "http" || scheme == "https" else {
        return .refused(.scheme(String(scheme.prefix(32))))
      }
      let target = try from.resolve(location)
      if from.scheme == "https", target.scheme == "http", !allowsDowngrade {
        return .refused(.downgrade)
      }
      return .follow(target)
    } catch {
      return .refused(.malformedLocation)
    }
  }
}
