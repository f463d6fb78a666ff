/// One field line of a message: a name and a value.
///
/// A value that arrived as bytes is UTF-8 where those bytes are valid UTF-8, and ISO 8859-1
/// otherwise, so that no byte is lost.
public struct HeaderField: Sendable, Hashable {
  /// The field name as it was spelled; compare it without regard to case.
  public var name: String
  /// The field value without leading and trailing white space.
  public var value: String

  /// Makes a field line.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The header section of a message, in the order of arrival (RFC 9110 §5).
public struct HeaderFields: Sendable, Hashable {
  /// All field lines, in order.
  public private(set) var fields: [HeaderField]

  /// Makes a header section.
  public init(_ fields: [HeaderField] = []) {
    self.fields = fields
  }

  /// Adds a field line at the end.
  public mutating func append(name: String, value: String) {
    fields.append(HeaderField(name: name, value: value))
  }

  /// The value of the first line with this name, or nil.
  public func first(_ name: String) -> String? {
    fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The values of all lines with this name, in order.
  public func all(_ name: String) -> [String] {
    var values: [String] = []
    for field in fields where field.name.equalsIgnoringASCIICase(name) {
      values.append(field.value)
    }
    return values
  }

  /// The values of all lines with this name as one list value (RFC 9110 §5.3), or nil.
  public func combined(_ name: String) -> String? {
    let values = all(name)
    return values.count > 1 ? values.joined(separator: ", ") : values.first
  }
}

extension String {
  /// Whether both are the same but for the case of ASCII letters.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var others = other.utf8.makeIterator()
    for byte in utf8 where byte.asciiLowercased != others.next()?.asciiLowercased { return false }
    return true
  }
}

extension UInt8 {
  /// The lower-case form of an ASCII letter; every other byte unchanged.
  package var asciiLowercased: UInt8 {
    self >= 0x41 && self <= 0x5A ? self | 0x20 : self
  }
}
