/// How a message was coded on its way (RFC 9112 §6.1).
public enum TransferCoding {
  /// The codings of an answer when there is one besides `chunked`, which is the only one that
  /// clients have to know; nil otherwise. The text is safe to show.
  ///
  /// Content under any other coding is not what the file consists of. HTTP/2 and later have none.
  public static func unknown(in head: ResponseHead) -> String? {
    guard head.version == .http10 || head.version == .http11,
      let value = head.fields.combined("Transfer-Encoding")
    else { return nil }
    let codings = value.commaSeparatedParts.map(\.asciiLowercased).filter {
      !$0.isEmpty && $0 != "identity"
    }
    guard !codings.isEmpty, codings != ["chunked"] else { return nil }
    return MalformedField(name: "Transfer-Encoding", value: value).value
  }
}
