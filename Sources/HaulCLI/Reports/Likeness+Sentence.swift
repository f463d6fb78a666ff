import HaulTransfer

extension Likeness {
  /// What is told of a file that was left out because of it.
  var sentence: String {
    switch self {
    case .digest: "the same file is there, by its digest"
    case .serverDigest: "the same file is there, by the server's digest"
    case .sizeAndTime: "a file of the same size and time is there"
    }
  }
}
