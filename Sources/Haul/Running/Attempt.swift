internal import HaulHTTP
internal import HaulRecords
internal import HaulSystem
internal import HaulTransfer

/// One attempt to fetch the file of a download.
///
/// It is looked at ten times a second; what seldom changes is large, and lies elsewhere.
struct Attempt: Sendable {
  /// What is stored of the download, and what is shown of that.
  private final class Stored: Sendable {
    let record: DownloadRecord
    let texts: Texts

    init(_ record: DownloadRecord) {
      self.record = record
      texts = Texts(record)
    }
  }

  /// What never changes.
  private final class Origin: Sendable {
    let request: TransferRequest
    let source: String

    init(_ request: TransferRequest) {
      self.request = request
      source = request.sourceKey
    }
  }

  /// The texts of a record that are shown.
  struct Texts: Sendable {
    let url: String
    let name: String

    init(_ record: DownloadRecord) {
      url = record.url.redacted
      name = record.name
    }
  }

  let number: UInt32
  let running: any RunningDownload
  private let origin: Origin
  private var stored: Stored
  var meter = RateMeter()
  /// Where it stood when it was looked at last.
  var progress: TransferProgress?
  /// Where its file is, or will be.
  var path: String?
  /// The failure that it ended with.
  var failure: RecordFailure?

  init(
    number: UInt32, record: DownloadRecord, request: TransferRequest, running: any RunningDownload
  ) {
    self.number = number
    self.running = running
    origin = Origin(request)
    stored = Stored(record)
  }

  var request: TransferRequest { origin.request }
  /// What it fetches, by address and folder: two at once would be in each other's way.
  var source: String { origin.source }
  var texts: Texts { stored.texts }

  /// What is stored of the download, but for what the list knows better.
  var record: DownloadRecord {
    get { stored.record }
    set { stored = Stored(newValue) }
  }

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
