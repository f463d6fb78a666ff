internal import HaulHTTP
internal import HaulRecords
internal import HaulSystem
internal import HaulTransfer

/// One attempt to fetch the file of a download.
struct Attempt: Sendable {
  let number: UInt32
  /// What is stored of the download, but for what the list knows better.
  var record: DownloadRecord {
    didSet { texts = Texts(record) }
  }
  /// What is shown of it; it is told ten times a second, and seldom changes.
  private(set) var texts: Texts
  let request: TransferRequest
  let running: any RunningDownload
  var meter = RateMeter()
  /// Where it stood when it was looked at last.
  var progress: TransferProgress?
  /// Where its file is, or will be.
  var path: String?
  /// The failure that it ended with.
  var failure: RecordFailure?

  /// The texts of a record that are shown.
  struct Texts: Sendable {
    let url: String
    let name: String

    init(_ record: DownloadRecord) {
      url = record.url.redacted
      name = record.name
    }
  }

  init(
    number: UInt32, record: DownloadRecord, request: TransferRequest, running: any RunningDownload
  ) {
    self.number = number
    self.record = record
    self.request = request
    self.running = running
    texts = Texts(record)
  }

  /// What it fetches, by address and folder: two at once would be in each other's way.
  var source: String { request.sourceKey }

  /// Looks where it stands now.
  mutating func look(_ now: Instant) {
    let progress = running.progress
    self.progress = progress
    meter.note(progress.received, at: now.seconds(since: Instant(nanoseconds: 0)))
  }
}

extension TransferRequest {
  /// Tells requests apart that would share a part.
  var sourceKey: String { destination.folder + "\n" + (keptUnder ?? url).identityText }
}
