internal import HaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder with the list of a manager, which one process at a time has.
struct StateFolder: Sendable {
  let path: String
  /// Held for as long as this lives; the system releases it with the process.
  private let lock: any DiskFile

  static let databaseName = "downloads.sqlite"
  static let secretsName = "secrets"
  private static let lockName = "lock"

  /// Makes the folder, for nobody but its owner, and takes it.
  init(_ path: String, disk: any Disk) throws(DownloadManagerFailure) {
    self.path = path
    let isOurs: Bool
    do throws(DiskError) {
      let folder = try disk.openFolder(path, create: true)
      lock = try folder.open(Self.lockName, .create(permissions: 0o600))
      isOurs = try lock.lock()
    } catch {
      throw Self.failure(error)
    }
    guard isOurs else {
      throw DownloadManagerFailure(
        code: .inUse,
        message: "Another program has the list of downloads in \u{201C}\(path)\u{201D}. Close it, "
          + "or choose another folder.")
    }
  }

  var databasePath: String { "\(path)/\(Self.databaseName)" }

  private static func failure(_ error: DiskError) -> DownloadManagerFailure {
    let code: DownloadManagerFailure.Code =
      switch error.errno {
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      default: .failed
      }
    return DownloadManagerFailure(code: code, message: error.sentence)
  }
}
