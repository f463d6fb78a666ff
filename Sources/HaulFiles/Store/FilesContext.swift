import HaulSystem

/// What every part of one store shares.
struct FilesContext: Sendable {
  let disk: any Disk
  let crypto: any Crypto
  let space: SpaceLedger
  let bootID: [UInt8]?

  init(disk: any Disk, crypto: any Crypto) {
    self.disk = disk
    self.crypto = crypto
    space = SpaceLedger()
    bootID = disk.bootID
  }
}
