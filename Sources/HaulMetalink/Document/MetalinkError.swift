/// Why some bytes are no Metalink document that can be used.
public struct MetalinkError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a fault; more may be added.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// It is not well-formed XML.
    case notXML = "not-xml"
    /// It is not in UTF-8.
    case encoding
    /// It is XML with a document type, which is not read.
    case documentType = "document-type"
    /// It is something else, such as a web page.
    case notMetalink = "not-metalink"
    /// It is of version 3, which came before RFC 5854.
    case oldVersion = "old-version"
    /// It is longer, deeper, or has more of something than is read.
    case tooLarge = "too-large"
    /// A value is not what RFC 5854 asks for, or two contradict each other.
    case malformed
    /// A name leads out of its folder, or is none.
    case unsafeName = "unsafe-name"
    /// A file has no address that can be fetched, or there is no file.
    case noSource = "no-source"
  }

  /// The kind.
  public let code: Code
  /// The line of the document, from 1; nil where it is about the whole.
  public let line: Int?
  /// A sentence that says what is wrong, and what to do where that is not plain, without the line.
  /// It may quote the document; addresses are never quoted, since they may hold secrets.
  public let sentence: String

  init(_ code: Code, line: Int?, _ sentence: String) {
    self.code = code
    self.line = line
    self.sentence = sentence
  }

  /// The sentence with the line before it.
  public var message: String { (line.map { "line \($0): " } ?? "") + sentence }

  /// The message.
  public var description: String { message }
}
