import HaulSystem
import HaulTransfer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileFailure {
  /// Finds the kind of a failed system call, and its sentence.
  init(_ error: DiskError) {
    let code: Code =
      switch error.errno {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EILSEQ: .notPermitted
      case EEXIST, ENOTEMPTY: .exists
      case EAGAIN, EBUSY, ETXTBSY: .inUse
      case ENOENT, ESTALE: .folderMissing
      case ENOTDIR: .notAFolder
      case ENAMETOOLONG: .nameTooLong
      case EROFS: .readOnly
      case ELOOP, EISDIR, ENXIO, EINVAL: .unsafeTarget
      case EPIPE, ECONNRESET: .readerGone
      case ECANCELED: .interrupted
      default: .inputOutput
      }
    self.init(code: code, message: error.sentence)
  }

  static func inUse(_ path: String) -> FileFailure {
    FileFailure(
      code: .inUse,
      message: "\u{201C}\(path)\u{201D} is being downloaded from the same URL already. "
        + "Wait for that, or stop it first.")
  }

  static func exists(_ path: String) -> FileFailure {
    FileFailure(
      code: .exists,
      message:
        "\u{201C}\(path)\u{201D} exists. Choose another name, or replace it: --exists overwrite")
  }

  static func diskFull(_ path: String, need: Int64, free: Int64) -> FileFailure {
    FileFailure(
      code: .diskFull,
      message: "\u{201C}\(path)\u{201D} needs \(SizeText.of(need)) more, and \(SizeText.of(free)) "
        + "are free, of which \(SizeText.of(SpaceLedger.reserve)) stay free and other downloads may "
        + "need some. Free some space and run it again.")
  }

  static func closed(_ path: String) -> FileFailure {
    FileFailure(
      code: .inputOutput,
      message: "\u{201C}\(path)\u{201D} was closed before this job. Run it again.")
  }

  static func replaced(_ path: String) -> FileFailure {
    FileFailure(
      code: .inUse,
      message: "\u{201C}\(path)\u{201D} or its part was replaced by another program at the moment "
        + "of publishing. Look at what is there, and run it again.")
  }

  static func incomplete(_ path: String) -> FileFailure {
    FileFailure(
      code: .inputOutput,
      message: "\u{201C}\(path)\u{201D} is not complete on disk, so it was not given its name. "
        + "Run it again.")
  }
}

/// Runs disk calls and turns their error into a failure with a sentence.
func disk<Value>(_ body: () throws(DiskError) -> Value) throws(FileFailure) -> Value {
  do {
    return try body()
  } catch {
    throw FileFailure(error)
  }
}
