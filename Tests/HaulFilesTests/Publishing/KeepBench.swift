import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer

@testable import HaulFiles

/// Keeps small files as one process does, on a clock that stands still.
struct KeepBench: Sendable {
  let context: FilesContext
  let clock = VirtualClock()
  var destination: Destination

  init(_ disk: any Disk, folder: String, isDurable: Bool = true) {
    context = FilesContext(
      disk: disk, crypto: SystemCrypto(), clock: clock,
      index: FolderIndex(clock: clock, lifetime: 1))
    destination = Destination(folder: folder, isDurable: isDurable)
  }

  /// Nil when a part is to do it.
  func keep(
    _ bytes: [UInt8], as name: String = "a.bin"
  ) throws(FileFailure) -> PublishedFile? {
    let whole = WholeFile(
      context: context, destination: destination, suggestedName: name,
      version: version(bytes.count))
    // The array lives through the call.
    let named = unsafe bytes.withUnsafeBytes { content in
      outcome { () throws(FileFailure) in try unsafe whole.name(content) }
    }
    guard let named = try named.get() else { return nil }
    if let ticket = named.ticket {
      try HaulFiles.disk { () throws(DiskError) in try context.syncs.wait(ticket) }
    }
    return named.file
  }
}

/// What may stand where a file is to go.
enum Obstacle: CaseIterable {
  case file, folder, link, pipe, ownPart

  /// The name under which it stands in the way of a file.
  func name(for file: String) -> String { self == .ownPart ? PartNames.part(file) : file }

  func put(at path: String) {
    // The strings live through the calls.
    switch self {
    case .file, .ownPart: unsafe _ = close(open(path, O_CREAT | O_WRONLY, 0o600))
    case .folder: unsafe _ = mkdir(path, 0o700)
    case .link: unsafe _ = symlink("/nowhere", path)
    case .pipe: unsafe _ = mkfifo(path, 0o600)
    }
  }
}
