import Glibc
import HaulMetalink

/// Reads the document of `--metalink`, before anything is fetched.
enum MetalinkSource {
  /// Reads the files that it describes.
  ///
  /// - Throws: `UsageError` when it cannot be read, or is no Metalink document that can be used.
  static func read(_ options: inout GetOptions) throws(UsageError) {
    guard let path = options.metalinkFile else { return }
    let isInput = path == "-"
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(
        isInput ? "/dev/stdin" : path, atMost: Metalink.maximumByteCount
      ).bytes
    } catch {
      let reason = Values.describe(errno)
      guard !path.contains("://") else {
        throw UsageError(
          "--metalink takes a file; for one on a server: haul get -o - URL | haul get --metalink -")
      }
      throw UsageError("the Metalink file “\(path)” cannot be read (\(reason))")
    }
    let name = isInput ? "on standard input" : "“\(path)”"
    do {
      let document = try Metalink(parsing: bytes)
      options.described = document.files
      options.notes += document.notes.map { "the Metalink file \(name): \($0)" }
    } catch {
      throw UsageError("the Metalink file \(name) cannot be used: \(error.message)")
    }
  }
}
