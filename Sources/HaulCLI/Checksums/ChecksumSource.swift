import Glibc
import HaulFiles
import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// Finds the digests of files in a checksum file, which is read once for all of them.
///
/// Used on the thread that begins the files; it waits for the network.
final class ChecksumSource {
  /// Shows and stops the transfer of the checksum file.
  typealias Start = (_ request: TransferRequest, _ store: MemoryStore) -> TransferResult

  let location: ChecksumLocation
  private var read: Result<ChecksumFile, TransferFailure>?

  /// - Throws: `UsageError` when it is a file that cannot be read.
  init(_ location: ChecksumLocation) throws(UsageError) {
    self.location = location
    guard case .file(let path) = location else { return }
    let place = location.isStandardInput ? "/dev/stdin" : path
    guard let file = try? SmallFile.read(place, atMost: ChecksumFile.maximumByteCount) else {
      throw UsageError(
        "the checksum file “\(path)” cannot be read (\(Values.describe(errno)))")
    }
    read = .success(ChecksumFile(parsing: file.bytes, named: location.name))
  }

  /// The digest of a file; nil when the run was stopped meanwhile.
  func digest(
    for request: TransferRequest, isOnlyFile: Bool, _ start: Start
  ) throws(TransferFailure) -> Digest? {
    if read == nil { read = fetch(for: request, start) }
    guard let read else { return nil }
    let file: ChecksumFile
    do { file = try read.get() } catch {
      var failure = error
      failure.message =
        "\(request.url) was not fetched, since its digest is not known: \(error.message)"
      throw failure
    }
    do {
      return try file.digest(
        for: request.url, ownName: request.destination.name, isOnlyFile: isOnlyFile)
    } catch {
      throw TransferFailure(
        code: .digestMissing,
        message: "\(request.url) was not fetched: "
          + ChecksumMessages.sentence(error, location, isOnlyFile: isOnlyFile))
    }
  }

  /// Nil when it was stopped.
  private func fetch(
    for file: TransferRequest, _ start: Start
  ) -> Result<ChecksumFile, TransferFailure>? {
    guard case .url(let url) = location else { return nil }
    var request = file
    request.url = url
    request.destination = Destination(folder: "", name: "checksums", isDurable: false)
    request.isDryRun = false
    request.expectedType = nil
    request.maximumByteCount = Int64(ChecksumFile.maximumByteCount)
    if url.origin != file.url.origin {
      request.credentials = nil
      request.fields.removeAll(where: \.isSecret)
    }
    let store = MemoryStore(crypto: SystemCrypto())
    switch start(request, store) {
    case .failed(let failure): return .failure(failure)
    case .finished:
      let bytes = store.content ?? []
      return .success(ChecksumFile(parsing: bytes, named: location.name))
    case .stopped, .skipped, .planned: return nil
    }
  }
}
