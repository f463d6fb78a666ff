import HaulTransfer

/// The exit statuses of the program: a contract with scripts.
enum ExitStatus: Int32, CaseIterable {
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
}
