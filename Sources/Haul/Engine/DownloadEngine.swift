internal import HaulCurl
internal import HaulFiles
internal import HaulSystem
public import HaulTransfer

/// Haul's own engine: libcurl on the network, part files and journals on the disks of this machine.
///
/// All that is fetched by one engine shares its connections, its limits, and what it learned of servers.
public struct DownloadEngine: Downloading {
  let environment: TransferEnvironment

  /// Makes an engine on a world of one's own, such as a simulated one.
  public init(_ environment: TransferEnvironment) {
    self.environment = environment
  }

  /// Makes an engine.
  ///
  /// - Parameters:
  ///   - limiter: A limit of rate over all that it fetches, which may be changed at any time.
  ///   - connectionsPerHost: The most connections to one server at once.
  public init(limiter: RateLimiter? = nil, connectionsPerHost: Int = 16) {
    self.init(
      TransferEnvironment(
        transport: CurlTransport(maximumHostConnections: connectionsPerHost), store: FileStore(),
        clock: SystemClock(),
        random: SystemRandom(), decoders: ContentDecoders(), limiter: limiter,
        hosts: HostGate(maximumConnections: connectionsPerHost)))
  }

  /// The engine of the whole program.
  public static let shared = DownloadEngine()

  /// Makes a download that has not started.
  public func download(
    _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
  ) -> any RunningDownload {
    Transfer(request, in: environment, onEvent: onEvent)
  }

  /// What an earlier run left on disk of a file.
  public func stored(_ request: TransferRequest) async throws(TransferFailure) -> StoredBytes? {
    try await environment.stored(request)
  }
}
