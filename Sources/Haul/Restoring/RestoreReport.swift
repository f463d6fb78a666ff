public import HaulRecords
public import HaulTransfer

/// What was found in the folders of a list.
public struct RestoreReport: Sendable {
  /// Downloads of a list that was damaged, which are in the new one again by their journals, paused.
  public var rebuilt: [DownloadID] = []
  /// Parts and journals that belong to no download of the list. They stay until they are discarded; whoever
  /// adds their address again goes on from them.
  public var leftovers: [Leftover] = []

  init() {}
}
