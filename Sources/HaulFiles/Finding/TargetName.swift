import HaulHTTP
import HaulTransfer

/// The name that a file is to have.
enum TargetName {
  /// The owner's name, or else the one that the server suggests.
  static func of(_ destination: Destination, suggested: String) -> String {
    destination.name ?? harmless(suggested)
  }

  /// An owner's name has to be one component that leaves room for our suffixes.
  static func check(_ name: String) throws(FileFailure) {
    let isSafe =
      !name.isEmpty && name != "." && name != ".."
      && name.utf8.allSatisfy { $0 != 0 && $0 != 0x2F } && !PartNames.isOurs(name)
    guard isSafe else {
      throw FileFailure(
        code: .unsafeTarget,
        message: "\u{201C}\(name)\u{201D} cannot be the name of a download. Choose another.")
    }
    guard name.utf8.count <= PartNames.maxBytes else {
      throw FileFailure(
        code: .nameTooLong,
        message: "The name \u{201C}\(name)\u{201D} is longer than \(PartNames.maxBytes) "
          + "bytes. Choose a shorter one.")
    }
  }

  /// A name from outside that does not end like one of ours.
  static func harmless(_ name: String) -> String {
    FileName.fitted(PartNames.isOurs(name) ? name + "_" : name, maxBytes: PartNames.maxBytes)
  }
}
