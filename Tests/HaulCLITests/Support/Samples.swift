@testable import HaulTransfer

extension TransferProgress {
  /// A transfer in some state.
  static func sample(
    state: TransferState, received: Int64, resumedFrom: Int64, total: Int64?, path: String?
  ) -> TransferProgress {
    TransferProgress(
      state: state, received: received, resumedFrom: resumedFrom, total: total, path: path,
      connections: 1)
  }
}
