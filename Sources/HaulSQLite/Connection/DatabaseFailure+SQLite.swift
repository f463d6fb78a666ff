import CSQLite
import HaulRecords
import HaulSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DatabaseFailure {
  /// What a result code of SQLite means.
  ///
  /// - Parameters:
  ///   - sqlite: The extended code.
  ///   - system: The error number of the system call behind it, or zero.
  ///   - detail: SQLite's own words, which hold names of tables but no content.
  ///   - path: The database.
  init(sqlite: Int32, system: Int32, detail: String, path: String) {
    let code = Self.code(sqlite & 0xFF, system)
    self.init(code, path, detail: "\(detail), code \(sqlite)")
  }

  /// What the disk said of the database.
  init(_ error: DiskError, path: String) {
    let code = Self.code(of: error.errno) ?? .failed
    self.init(code, path, detail: error.sentence)
  }

  /// A failure of the database as a whole, with its remedy.
  init(_ code: Code, _ path: String, detail: String = "") {
    self.init(
      code: code,
      message: "The list of downloads \u{201C}\(path)\u{201D} \(Self.rest(code, detail))")
  }

  private static func rest(_ code: Code, _ detail: String) -> String {
    switch code {
    case .locked: "is in use by another program. Close that program, or try again later."
    case .corrupt:
      "is damaged (\(detail)). Nothing was changed. Restore it from a copy, or have it set aside and "
        + "what is readable saved."
    case .readOnly: "cannot be written to. Change the permissions, or choose another folder."
    case .newerVersion:
      "was made by a newer version of the program. Use that version, or choose another folder."
    case .foreign:
      "belongs to another program, or its beginning is damaged. Choose another folder, or move the "
        + "file away."
    case .diskFull: "cannot grow, because the volume is full. Free some space and try again."
    case .notPermitted:
      "may not be opened: permission is missing. Change its permissions, or choose another folder."
    default: "could not be used: \(detail). Try again; if it stays so, check the disk."
    }
  }

  private static func code(_ primary: Int32, _ system: Int32) -> Code {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_READONLY: .readOnly
    case SQLITE_FULL: .diskFull
    case SQLITE_PERM, SQLITE_AUTH: .notPermitted
    case SQLITE_CANTOPEN, SQLITE_IOERR: code(of: system) ?? .failed
    default: .failed
    }
  }

  private static func code(of number: Int32) -> Code? {
    switch number {
    case EACCES, EPERM: .notPermitted
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .diskFull
    default: nil
    }
  }
}
