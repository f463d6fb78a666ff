internal import Dispatch
public import HaulRecords
public import Observation

/// One download for a view of SwiftUI, or whatever else observes: always as it is now, on the main actor.
///
/// ```swift
/// struct DownloadRow: View {
///   let download: DownloadModel
///   var body: some View { ProgressView(download.snapshot?.name ?? "", value: download.snapshot?.fraction) }
/// }
/// ```
@MainActor @Observable
public final class DownloadModel: Identifiable {
  /// Which download it is.
  public nonisolated let id: DownloadID
  /// How it is; nil until that is known.
  public private(set) var snapshot: DownloadSnapshot?
  @ObservationIgnored private var observation: DownloadObservation?

  /// Makes the model of a download; it follows the download for as long as it lives.
  public init(_ id: DownloadID, in manager: DownloadManager) {
    self.id = id
    observation = manager.observe(id, on: .main) { [weak self] snapshot in
      // The main queue is where the main actor runs.
      MainActor.assumeIsolated { self?.snapshot = snapshot }
    }
  }
}

/// A part of the list for a view, and the totals of the whole.
@MainActor @Observable
public final class DownloadListModel {
  /// The downloads of this part.
  public private(set) var page = DownloadPage()
  /// What the whole list holds.
  public private(set) var totals = ListTotals()
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Makes the model of a part of the list; it follows the list for as long as it lives.
  public init(_ query: RecordQuery = RecordQuery(), in manager: DownloadManager) {
    let pages = manager.pages(query)
    following = Task { [weak self] in
      for await (page, totals) in pages {
        guard let self else { return }
        self.page = page
        self.totals = totals
      }
    }
  }

  isolated deinit { following?.cancel() }
}
