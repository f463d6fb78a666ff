import HaulHTTP
public import HaulSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Secrets in one file that nobody but its owner can read (mode 0600).
///
/// The file is read once, and written as a whole with each change, in one step and durably
/// (`DiskFolder.replace`). One that is damaged, or that others can read, is refused and left as it is.
/// One process at a time may use it; its owner sees to that, by a lock on the folder.
public final class SecretFile: SecretStore {
  static let permissions: UInt32 = 0o600
  /// More than a million passwords; a longer file is none of ours.
  static let largestSize: Int64 = 1 << 28

  private let folder: any DiskFolder
  private let name: String
  private let crypto: any Crypto
  private let kept: Mutex<[DownloadID: ItemSecrets]>

  /// Opens the file of secrets in a folder; it is made with the first secret.
  ///
  /// - Parameters:
  ///   - name: The name of the file, one component.
  ///   - folderPath: The folder, which is made when it is missing.
  ///   - disk: The disk that both are on.
  ///   - crypto: What computes the digest against damage.
  /// - Throws: `exposed` when others may read or write the file, `damaged`, `newerVersion`, and what
  ///   the disk says.
  public init(
    _ name: String, inFolder folderPath: String, disk: any Disk = PosixDisk(),
    crypto: any Crypto = SystemCrypto()
  ) throws(SecretFailure) {
    self.name = name
    self.crypto = crypto
    do throws(DiskError) {
      folder = try disk.openFolder(folderPath, create: true)
    } catch {
      throw SecretFailure(error)
    }
    kept = Mutex(try Self.read(name, in: folder, crypto))
  }

  /// What is kept for a download; nil when nothing is.
  public func secrets(of id: DownloadID) -> ItemSecrets? { kept.withLock { $0[id] } }

  /// The downloads that secrets are kept for, in no order.
  public func ids() -> [DownloadID] { kept.withLock { Array($0.keys) } }

  /// Keeps secrets, each in the place of what was kept for its download, all or none.
  ///
  /// - Throws: What the disk says. What is kept is as it was then.
  public func store(_ secrets: [DownloadID: ItemSecrets]) throws(SecretFailure) {
    try kept.withLock { kept throws(SecretFailure) in
      var next = kept
      next.take(secrets)
      guard next != kept else { return }
      do throws(DiskError) {
        let bytes = SecretForm.encode(next, crypto)
        try folder.replace(name, with: bytes, permissions: Self.permissions)
      } catch {
        throw SecretFailure(error)
      }
      kept = next
    }
  }

  private static func read(
    _ name: String, in folder: any DiskFolder, _ crypto: any Crypto
  ) throws(SecretFailure) -> [DownloadID: ItemSecrets] {
    let place = folder.path + "/" + name
    let bytes: [UInt8]?
    let isExposed: Bool
    do throws(DiskError) {
      let status = try folder.status(name)
      isExposed = status.map { $0.kind == .regular && $0.permissions & 0o077 != 0 } ?? false
      bytes = isExposed ? nil : try folder.contents(of: name, atMost: largestSize)
    } catch {
      throw SecretFailure(error)
    }
    guard !isExposed else {
      throw SecretFailure(
        code: .exposed,
        message: "Others may read \u{201C}\(place)\u{201D}, which holds passwords. "
          + "Change the passwords if others were there, and run: chmod 600 \(place)")
    }
    guard let bytes else { return [:] }
    switch SecretForm.decode(bytes, crypto) {
    case .secrets(let secrets): return secrets
    case .newer(let version):
      throw SecretFailure(
        code: .newerVersion,
        message: "\u{201C}\(place)\u{201D} was written by a newer program (version \(version) of "
          + "the form). Use that program, or move the file away.")
    case .damaged:
      throw SecretFailure(
        code: .damaged,
        message: "\u{201C}\(place)\u{201D} is damaged, and what it holds cannot be trusted. "
          + "Restore it from a copy, or move it away and give the passwords again.")
    }
  }
}

extension SecretFailure {
  /// What the disk said.
  init(_ error: DiskError) {
    let code: Code =
      switch error.errno {
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      default: .failed
      }
    self.init(code: code, message: error.sentence)
  }
}
