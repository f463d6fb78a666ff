import HaulHTTP
import HaulTransfer

/// How sure it is that a file is right, in words that follow its name.
enum Proof {
  /// What is said behind the name and the size; `digestSource` is the checksum file that the digest
  /// is from, if it is.
  static func text(
    _ file: FinishedTransfer, _ digestSource: String?, _ existing: ExistingFilePolicy
  ) -> String {
    let name = file.path.split(separator: "/").last.map(String.init)
    let isRenamed = name != file.wantedName
    let proof = verification(file, digestSource)
    guard isRenamed else { return proof }
    let why =
      existing == .skip ? "by another file, or one that nothing shows to be the same" : ""
    return proof + "; \(file.wantedName) was taken" + (why.isEmpty ? "" : " " + why)
  }

  private static func verification(_ file: FinishedTransfer, _ digestSource: String?) -> String {
    switch file.verification {
    case .digest:
      ", \(file.digest.map { $0.algorithm.rawValue } ?? "digest")"
        + (digestSource.map { " from \($0)" } ?? "") + " is right"
    case .length: ""
    case .overlap: " (joined where 64 KiB were equal)"
    case .unverified: " (the server did not say how long it is: unverified)"
    }
  }
}

extension RestartReason {
  /// Why, in words.
  var sentence: String {
    switch self {
    case .changed: "the file changed on the server"
    case .noValidator:
      "the server gives nothing by which the parts of one version can be known; --digest or --trust-overlap lets it go on"
    case .rangeIgnored: "the server sent the whole file in place of the rest"
    case .badRange: "the server's partial answers made no sense"
    case .digestMismatch: "the digest of the parts put together was wrong"
    }
  }
}
