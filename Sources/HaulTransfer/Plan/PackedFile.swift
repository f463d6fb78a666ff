internal import HaulHTTP

/// Files that are packed by themselves, such as archives. Many servers call one a coded form of
/// another file (RFC 9110 §8.4), while whoever fetches `archive.tar.gz` wants what the name says.
enum PackedFile {
  private static let types: Set = [
    "application/gzip", "application/x-gzip", "application/x-tgz", "application/gzip-compressed",
    "application/x-compressed-tar",
  ]
  private static let extensions: Set<Substring> = ["gz", "tgz", "taz", "svgz", "emz", "wmz"]

  /// Whether the media type or one of the names says that the file is a gzip file.
  static func isSaid(by fields: HeaderFields, names: [String]) -> Bool {
    let type = fields.first("Content-Type").flatMap(MediaType.init(parsing:))
    if let type, types.contains(type.essence) { return true }
    return names.contains { name in
      let parts = name.lowercased().split(separator: ".")
      return parts.count > 1 && parts.last.map(extensions.contains) ?? false
    }
  }
}
