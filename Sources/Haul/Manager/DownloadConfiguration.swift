public import HaulRecords
internal import HaulSystem
public import HaulTransfer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a manager keeps its list, where files go, and what fetches them.
public struct DownloadConfiguration: Sendable {
  /// The folder of the list and of its secrets, which one process at a time has. It is made when it is
  /// missing.
  public var stateFolder: String
  /// The folders that names of bases stand for, by absolute paths. Records hold the names only, so that
  /// nothing is lost when a folder moves. `downloads` is where files go unless a request says else.
  public var bases: [String: String]
  /// What fetches the files; nil for an engine of the manager's own.
  public var engine: (any Downloading)?
  /// Where the list is kept; nil for SQLite in the folder of the list.
  public var database: (any RecordDatabase)?
  /// Where secrets are kept; nil for a file in the folder of the list that its owner alone can read.
  public var secrets: (any SecretStore)?
  /// How many downloads run at first, how fast, and when.
  public var settings = DownloadSettings()
  /// Whether a damaged list is set aside, and what can be read of it, and of the journals beside the files,
  /// makes a new one; the report says so. Otherwise opening fails (`corrupt`).
  public var salvagesDamagedList = true
  /// Hears what may be worth writing down, on a thread of the manager, in order; it must not block.
  public var log: (@Sendable (DownloadLogEntry) -> Void)?
  /// What is less important than this is not logged.
  public var logLevel = DownloadLogEntry.Level.info
  /// Time.
  public var clock: any Clock

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder of the list; nil for `haul` in the user's folder for state
  ///     (`$XDG_STATE_HOME`, by default `~/.local/state`; XDG Base Directory Specification 0.8).
  ///   - downloads: Where files go; nil for `Downloads` in the user's home.
  public init(stateFolder: String? = nil, downloads: String? = nil) {
    let home = Self.variable("HOME") ?? "/"
    let state = Self.variable("XDG_STATE_HOME") ?? "\(home)/.local/state"
    self.stateFolder = stateFolder ?? "\(state)/haul"
    bases = [RecordPath.downloads.base: downloads ?? "\(home)/Downloads"]
    clock = SystemClock()
  }

  private static func variable(_ name: String) -> String? {
    // The environment is not changed while a manager is configured; the text is copied at once.
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.hasPrefix("/") ? text : nil
  }
}
