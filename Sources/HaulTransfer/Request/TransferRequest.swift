public import HaulHTTP

/// A header field that the owner adds to the requests of a transfer.
public struct RequestField: Sendable, Hashable {
  /// The field.
  public var field: HeaderField
  /// Whether it goes to the origin of the given URL only, and is never shown.
  public var isSecret: Bool

  /// Makes a field. `Authorization`, `Proxy-Authorization` and `Cookie` are always secret.
  public init(_ field: HeaderField, isSecret: Bool = false) {
    self.field = field
    let always = ["Authorization", "Proxy-Authorization", "Cookie"]
    self.isSecret = isSecret || always.contains { $0.equalsIgnoringASCIICase(field.name) }
  }
}

/// A user and a password for the origin of the given URL (RFC 7617).
public struct Credentials: Sendable, Hashable {
  /// The user; without a colon.
  public var user: String
  /// The password.
  public var password: String

  /// Makes credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// How hard a transfer tries.
///
/// A server that answered once is worth waiting for: it may be restarting, or the network may be
/// gone for a while. An address where there never was anybody is most likely wrong, and whoever
/// mistyped it wants to know soon. So there are two smaller numbers for a *first contact*: no
/// answer came to this transfer yet, nor to another one from the same origin, and no earlier run
/// left bytes to go on from. They count only for the two signs that nobody is there. Look-ups
/// without an answer, unreachable networks and time-outs always get all tries, as they are what a
/// laptop sees that wakes up.
public struct RetryPolicy: Sendable, Hashable {
  /// Tries in a row that bring nothing new before the transfer fails; at least 1.
  public var tries = 8
  /// The most tries of a first contact to a name that does not exist; at least 1. The second one
  /// follows within a second.
  public var triesForUnknownName = 2
  /// The most tries of a first contact that is refused; at least 1. Three of them take 3 to 6
  /// seconds, in which most services have restarted.
  public var triesForRefusedConnection = 3
  /// The longest pause between two tries, in seconds, that Haul chooses by itself.
  public var maximumDelay: Double = 60
  /// The longest `Retry-After` that is obeyed, in seconds.
  public var maximumRetryAfter: Double = 600

  /// Makes the default policy.
  public init() {}
}

/// What is to be fetched, where it goes, and under which rules.
public struct TransferRequest: Sendable {
  /// Where the file is.
  public var url: HTTPURL
  /// The address under which an earlier run kept what it received, when the file has another one now: its
  /// owner says that both mean the same file. Nil for `url`.
  ///
  /// Bytes are gone on from as those of any earlier run, under an equal strong validator. From another server
  /// they are only under a digest, since validators of two servers prove nothing to each other; otherwise the
  /// file begins anew in their place.
  public var keptUnder: HTTPURL?
  /// Where it goes.
  public var destination: Destination
  /// Fields to add to the requests; one with the name of a field of ours replaces ours.
  public var fields: [RequestField] = []
  /// Credentials, which rule those in the URL.
  public var credentials: Credentials?
  /// Credentials by host, for where neither `credentials` nor the URL nor a field of the owner says
  /// who asks.
  ///
  /// The origin of the URL gets what its host has, or the default entry. After a redirect to another
  /// origin only an entry of that very host counts, and only over TLS with certificates checked:
  /// whoever is on the way of a plain redirect could otherwise collect passwords of hosts that were
  /// never asked for.
  public var netrc: Netrc?
  /// More addresses of the same file, the better ones first.
  ///
  /// With a digest of the whole file or of its pieces they may be used at once. Otherwise they are
  /// fall-backs: the file is then of one source's version.
  public var mirrors: [HTTPURL] = []
  /// Whether a server may name more addresses of the file (RFC 6249); they are used under a digest only.
  public var followsLinks = true
  /// The digest that the whole file must have.
  public var digest: Digest?
  /// The digests that its pieces must have.
  public var pieces: PieceDigests?
  /// The length that it must have, in bytes.
  public var expectedByteCount: Int64?
  /// A media type that the answer must have: `video/mp4`, `image/*`.
  public var expectedType: String?
  /// The largest file that is accepted, in bytes.
  public var maximumByteCount: Int64?
  /// The most redirects that are followed in a row.
  public var maximumRedirects = 20
  /// Whether a redirect from https to http is followed.
  public var allowsDowngrade = false
  /// Whether answers are never combined without a strong validator, digest or not.
  public var isStrict = false
  /// Whether answers without a strong validator are combined when they overlap equally.
  public var trustsOverlap = false
  /// Whether it ends as soon as the first answer was judged, and tells what would be done.
  ///
  /// The store has to be one that changes nothing, such as `DryRunStore` of HaulFiles.
  public var isDryRun = false
  /// How hard it tries.
  public var retries = RetryPolicy()
  /// How many connections may fetch it at once.
  public var segments = SegmentPolicy()
  /// A limit for this file, which may be changed while it is fetched; nil for none. Requests that have
  /// the same one share it.
  public var limiter: RateLimiter?
  /// How connections are made.
  public var connection = ConnectionOptions()
  /// Whether every request and answer is told as an event.
  public var tellsExchanges = false
  /// The `User-Agent`.
  public var userAgent = "haul"

  /// Makes a request with the default rules.
  public init(url: HTTPURL, destination: Destination) {
    self.url = url
    self.destination = destination
  }
}

extension TransferRequest {
  /// The destination, with all that a store has to know of the file.
  var storeDestination: Destination {
    var destination = destination
    destination.digest = digest
    destination.pieces = pieces
    if destination.existing == .skip {
      destination.likelyName = FileName.suggested(
        disposition: nil, firstURL: url, finalURL: url, mediaType: nil)
    }
    return destination
  }
}
