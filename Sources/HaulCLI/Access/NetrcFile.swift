import Glibc
import HaulTransfer

/// The file of users and passwords that `--netrc` reads.
enum NetrcFile {
  /// Which file is meant, if any.
  enum Choice: Equatable {
    case none
    /// The user's own: `$NETRC`, else `~/.netrc`.
    case own
    case named(String)
  }

  static let maximumByteCount = 1 << 20

  /// Reads the file that was chosen, and warns when others can read it, too.
  static func read(
    _ choice: Choice, _ environment: EnvironmentSettings, _ warnings: inout [String]
  ) throws(UsageError) -> Netrc? {
    let path: String
    switch choice {
    case .none: return nil
    case .named(let name): path = name
    case .own: path = try ownPath(environment)
    }
    guard let file = try? SmallFile.read(path, atMost: maximumByteCount) else {
      let remedy = choice == .own ? "; --netrc-file FILE names another" : ""
      throw UsageError("the netrc “\(path)” cannot be read (\(Values.describe(errno)))\(remedy)")
    }
    if file.isShared {
      warnings.append("“\(path)” holds passwords and others may read it: chmod 600 it")
    }
    do { return try Netrc(parsing: file.bytes) } catch {
      let place = error.line.map { ", line \($0)," } ?? ""
      throw UsageError("the netrc “\(path)”\(place) \(error.message)")
    }
  }

  private static func ownPath(_ environment: EnvironmentSettings) throws(UsageError) -> String {
    if let path = environment["NETRC"] { return path }
    guard let home = environment["HOME"] else {
      throw UsageError("--netrc reads ~/.netrc, and HOME is not set; use --netrc-file FILE")
    }
    return home + "/.netrc"
  }
}
