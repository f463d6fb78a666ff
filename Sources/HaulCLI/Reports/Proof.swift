import Glibc
import HaulHTTP
import HaulTransfer

/// How sure it is that a file is right, in words that follow its name.
enum Proof {
  /// What is said behind the name and the size.
  static func text(
    _ file: FinishedTransfer, _ news: FileNews, _ existing: ExistingFilePolicy
  ) -> String {
    let name = file.path.split(separator: "/").last.map(String.init)
    let isRenamed = name != file.wantedName
    let proof =
      verification(file, news)
      + (file.isDecoded ? "; the server sent it packed, and it was unpacked" : "")
    guard isRenamed else { return proof }
    return proof + "; " + taken(file, existing)
  }

  /// What has the wanted name of a file at this path, when it is not a file but a part.
  static func partInTheWay(_ path: String, _ wanted: String) -> String? {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    guard !isThere(folder + wanted), isThere(folder + wanted + ".haul-part") else { return nil }
    return "\(wanted) is kept for the part of another address, \(wanted).haul-part"
  }

  private static func taken(_ file: FinishedTransfer, _ existing: ExistingFilePolicy) -> String {
    if let part = partInTheWay(file.path, file.wantedName) { return part }
    let by =
      switch existing {
      case .skip: " by another file, or one that nothing shows to be the same"
      case .overwrite: " by another file of this run"
      case .rename, .fail: ""
      }
    return "\(file.wantedName) was taken\(by)"
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    // The text is passed as a string that ends with NUL, the status is a local variable.
    return unsafe lstat(path, &status) == 0
  }

  private static func verification(_ file: FinishedTransfer, _ news: FileNews) -> String {
    switch file.verification {
    case .digest where file.digest == nil && news.pieces != nil: ", its pieces are right"
    case .digest:
      ", \(file.digest.map { $0.algorithm.rawValue } ?? "digest")"
        + (news.digestSource.map { " from \($0)" } ?? "") + " is right"
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
    case .otherSource: "all of it comes from another source now"
    case .journalMissing: "an earlier run left a part without the journal that would vouch for it"
    case .journalDamaged: "an earlier run left a part whose journal is damaged"
    case .journalNewer:
      "an earlier run left a part whose journal is of a newer version of Haul, which could have gone on with it"
    case .notDurable:
      "an earlier run left a part without waiting for the disk (--no-sync), and the machine was started since"
    }
  }
}

extension DamageReason {
  /// What is the matter with the bytes, in words.
  var sentence: String {
    switch self {
    case .disk: "on disk were damaged"
    case .pieces: "do not have the digests of their pieces"
    case .digest: "do not have the digest that the server gave for them"
    }
  }
}
