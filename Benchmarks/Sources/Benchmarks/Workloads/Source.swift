import HaulTestKit

/// The server that the files of a workload come from.
enum Source: Sendable, Hashable {
  /// As fast as it can.
  case nginx(NginxServer.Listener)
  /// At a pace; a single file, over plain HTTP/1.1.
  case paced(Pace)
}
