/// What a server that answers with 401 accepts as proof of who asks (RFC 9110 §11.6.1).
public enum Challenges {
  /// The authentication schemes of `WWW-Authenticate` fields, in lower case and in order.
  ///
  /// A list of challenges and the parameters of one are both separated by commas; what is followed by
  /// `=` is a parameter, everything else begins a challenge.
  ///
  /// - Parameter values: The values of the fields.
  /// - Returns: The names; none where nothing can be read.
  public static func schemes(in values: [String]) -> [String] {
    values.flatMap(elements).compactMap(scheme)
  }

  /// The parts between the commas that stand outside of quoted strings.
  private static func elements(of value: String) -> [Substring] {
    var elements: [Substring] = []
    var start = value.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for index in value.indices {
      let character = value[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        elements.append(value[start..<index])
        start = value.index(after: index)
      }
    }
    return elements + [value[start...]]
  }

  private static func scheme(of element: Substring) -> String? {
    let text = element.drop { $0 == " " || $0 == "\t" }
    let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    let rest = text[word.endIndex...].drop { $0 == " " || $0 == "\t" }
    guard !word.isEmpty, rest.first != "=" else { return nil }
    return word.lowercased()
  }
}
