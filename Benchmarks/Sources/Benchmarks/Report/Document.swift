/// A document of which some sections are written by programs, each between two markers.
enum Document {
  enum Section: String, Sendable {
    case results, profile

    private var title: String {
      switch self {
      case .results: "Haul and its peers"
      case .profile: "Where Haul's time goes"
      }
    }

    fileprivate var heading: String { "\n## \(title)\n\n" }
    fileprivate var start: String { "<!-- \(rawValue): written by a program -->\n" }
    fileprivate var end: String { "<!-- end of \(rawValue) -->\n" }
  }

  /// The document with another text in a section, below the section's heading; a section that is missing comes at the end.
  static func replace(_ section: Section, by text: String, in document: String) -> String {
    let whole = section.start + section.heading + text + "\n" + section.end
    guard let start = document.firstRange(of: section.start),
      let end = document[start.upperBound...].firstRange(of: section.end)
    else {
      let gap = document.isEmpty || document.hasSuffix("\n\n") ? "" : "\n"
      return document + gap + whole
    }
    return document[..<start.lowerBound] + whole + document[end.upperBound...]
  }
}
