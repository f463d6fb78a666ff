import HaulHTTP
import HaulTransfer

/// What there is to say of a name that is not the one that was expected.
enum NameText {
  /// The path of a finished file, with its address where another name than the wanted one leaves open
  /// which of several files it is.
  static func path(_ file: FinishedTransfer, _ url: String?) -> String {
    let path = ShownPath.text(file.path)
    let name = file.path.split(separator: "/").last.map(String.init)
    guard name != file.wantedName, let url else { return path }
    return "\(path) from \(url)"
  }

  /// Why the end of the address is not the name, where it could not be one as it stands.
  static func change(_ file: FinishedTransfer, _ url: String?) -> String {
    guard let url = url.flatMap({ try? HTTPURL(parsing: $0) }) else { return "" }
    let end = url.lastPathSegment
    guard end != file.wantedName, FileName.safe(end) == file.wantedName else { return "" }
    return "; “\(end)” is no safe name, and -o takes it all the same"
  }
}
