import HaulSystem
import HaulTransfer

/// What every part of one store shares.
struct FilesContext: Sendable {
  let disk: any Disk
  let crypto: any Crypto
  let space: SpaceLedger
  let index: FolderIndex
  let owners = FileOwners()
  let syncs: FolderSyncs
  let folders: FolderHandles
  let bootID: [UInt8]?

  init(
    disk: any Disk, crypto: any Crypto, clock: any Clock, index: FolderIndex,
    syncs: FolderSyncs = FolderSyncs()
  ) {
    self.syncs = syncs
    folders = FolderHandles(clock: clock)
    self.disk = disk
    self.crypto = crypto
    self.index = index
    space = SpaceLedger()
    bootID = disk.bootID
  }
}
