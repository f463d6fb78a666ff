/// A program with the options that it is measured with.
enum Contestant: Sendable, Hashable {
  case haul(isDurable: Bool, isChecked: Bool = false)
  case curl
  /// curl, and then `openssl dgst` over what it wrote.
  case curlAndDigest
  /// Nil stands for what it does unasked.
  case aria2c(connections: Int? = nil, isChecked: Bool = false)
  case wget2
  case axel(connections: Int)

  var program: Program {
    switch self {
    case .haul: .haul
    case .curl, .curlAndDigest: .curl
    case .aria2c: .aria2c
    case .wget2: .wget2
    case .axel: .axel
    }
  }

  /// What tables and raw results call it; no two have the same.
  var label: String {
    switch self {
    case .haul(let isDurable, let isChecked):
      "haul" + (isDurable ? "" : " --no-sync") + (isChecked ? " --digest" : "")
    case .curl: "curl"
    case .curlAndDigest: "curl, openssl dgst"
    case .aria2c(let connections, let isChecked):
      "aria2c" + (connections.map { " -x \($0)" } ?? "") + (isChecked ? " --checksum" : "")
    case .wget2: "wget2"
    case .axel(let connections): "axel -n \(connections)"
    }
  }
}
