import HaulTransfer

/// The exit statuses of the program: a contract with scripts.
enum ExitStatus: Int32 {
  case right = 0
  case several = 1
  case usage = 2
  case network = 3
  case server = 4
  case integrity = 5
  case file = 6
  case policy = 7
  case interrupted = 130

  init(_ category: TransferFailure.Category) {
    self =
      switch category {
      case .network: .network
      case .server: .server
      case .integrity: .integrity
      case .file: .file
      case .policy: .policy
      case .interrupted: .interrupted
      }
  }

  /// The status for all files: that of the failures when they agree, `several` when not.
  static func combined(_ failures: [ExitStatus]) -> ExitStatus {
    guard let first = failures.first else { return .right }
    if failures.contains(.interrupted) { return .interrupted }
    return failures.allSatisfy { $0 == first } ? first : .several
  }
}
