/// A program with the options that it is measured with, or a time that is computed.
enum Contestant: Sendable, Hashable {
  /// Without a number of connections it chooses one.
  case haul(isDurable: Bool, isChecked: Bool = false, connections: Int? = nil)
  case curl
  /// curl, and then `openssl dgst` over what it wrote.
  case curlAndDigest
  /// Nil stands for what it does unasked.
  case aria2c(connections: Int? = nil, isChecked: Bool = false)
  case wget2
  /// By ranges of a mebibyte, so many at once.
  case wget2Chunks(threads: Int)
  case axel(connections: Int)
  /// One connection, received and written by a loop of two calls.
  case receiver
  /// The served file, copied by `cp`.
  case copy
  /// What so many connections of a paced server need when each is used from start to end.
  case ideal(connections: Int)

  /// Nil for what is computed.
  var program: Program? {
    switch self {
    case .haul: .haul
    case .curl, .curlAndDigest: .curl
    case .aria2c: .aria2c
    case .wget2, .wget2Chunks: .wget2
    case .axel: .axel
    case .receiver: .receiver
    case .copy: .cp
    case .ideal: nil
    }
  }

  /// What tables and raw results call it; no two have the same.
  var label: String {
    switch self {
    case .haul(let isDurable, let isChecked, let connections):
      "haul" + (connections.map { " -x \($0)" } ?? "") + (isDurable ? "" : " --no-sync")
        + (isChecked ? " --digest" : "")
    case .curl: "curl"
    case .curlAndDigest: "curl, openssl dgst"
    case .aria2c(let connections, let isChecked):
      "aria2c" + (connections.map { " -x \($0)" } ?? "") + (isChecked ? " --checksum" : "")
    case .wget2: "wget2"
    case .wget2Chunks(let threads): "wget2 --max-threads \(threads)"
    case .axel(let connections): "axel -n \(connections)"
    case .receiver: "floor: recv, pwrite"
    case .copy: "floor: cp"
    case .ideal(let connections): "ideal, \(connections) connection\(connections == 1 ? "" : "s")"
    }
  }
}
