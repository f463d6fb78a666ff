internal import HaulHTTP

/// Small files, which arrive as a whole before their part would be made, need none.
extension TransferMachine {
  /// Whether the body of an answer is collected before anything is done on the disk: not when it may
  /// turn out there that it is not wanted, nor when it has to be checked first.
  func mayGather(_ version: FileVersion, _ landing: Landing) -> Bool {
    guard gathers, !request.isDryRun, request.destination.existing == .rename,
      landing.coding == .identity, wantedDigests.isEmpty, request.pieces == nil,
      let total = version.total
    else { return false }
    return total > 0 && total <= Int64(TransferBuffer.capacity)
  }

  mutating func gather(_ id: ConnectionID, _ landing: Landing) {
    partJob = false
    connections[id]?.phase = .gathering(landing)
    actions.append(.gather(id, total: landing.end ?? 0))
  }

  mutating func create() {
    partJob = true
    let mayAdopt = request.digest != nil && !request.isStrict
    actions.append(.create(suggestedName: suggestedName, storable(version), mayAdopt: mayAdopt))
  }

  mutating func takeGathered(_ id: ConnectionID, _ isWhole: Bool) {
    guard case .active = mode, case .gathering(let landing) = connections[id]?.phase else { return }
    connections[id]?.phase = .preparing(landing)
    guard isWhole else { return create() }
    partJob = true
    mode = .finishing(.publishing)
    actions.append(.keep(id, suggestedName: suggestedName, storable(version)))
  }

  mutating func takeKept(_ outcome: FileOutcome<KeptFile>) {
    guard case .finishing(.publishing) = mode else { return }
    switch outcome {
    case .failure(let failure):
      partJob = false
      fail(failure)
    case .success(.declined):
      mode = .active
      create()
    case .success(.published(let file)):
      connections = [:]
      hasAnnounced = true
      actions.append(
        .emit(.started(path: file.path, total: file.byteCount, resumedFrom: 0)))
      actions.append(.emit(.verifying))
      takePublished(.success(file))
    }
  }
}
