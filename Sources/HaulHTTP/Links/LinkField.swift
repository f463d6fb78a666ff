/// Another address of the file that an answer is about, as a server tells it (RFC 6249 §3).
public struct MirrorLink: Sendable, Hashable {
  /// Where the same file is.
  public let url: HTTPURL
  /// The server's order: from 1, the best, to 999,999, which is also that of a link without one.
  public let priority: Int
  /// Whether the mirror gives its files the same entity tags as this server (RFC 6249 §3).
  public let isPreferred: Bool
  /// Where the mirror is, by its ISO 3166 code in lower case, such as `de`; nil where it is not told.
  public let location: String?
}

/// A description of the file that an answer is about, such as a Metalink document (RFC 6249).
public struct DescriptionLink: Sendable, Hashable {
  /// Where it is.
  public let url: HTTPURL
  /// Its media type in lower case, such as `application/metalink4+xml`; nil where it is not told.
  public let mediaType: String?
}

/// Reads what the `Link` fields of an answer (RFC 8288) tell of other sources of the same file.
///
/// A server may say anything here: without a digest nothing proves that a mirror has the same bytes.
/// Links with an `anchor` for another address, and those to anything but http and https, are left
/// out; malformed ones are passed over.
public enum LinkField {
  /// The most links of a kind that are given; a server that names more is not asked to be believed.
  public static let maximumCount = 32

  /// The mirrors (`rel=duplicate`): preferred ones first, then by priority, then as they were listed.
  ///
  /// Each address is there once, and that of the answer itself is not.
  /// - Parameters:
  ///   - fields: The header section of the answer.
  ///   - url: The address that answered, to which relative targets refer.
  /// - Returns: At most `maximumCount`, the best ones.
  public static func mirrors(in fields: HeaderFields, of url: HTTPURL) -> [MirrorLink] {
    var seen: Set = [url.identityText]
    var mirrors: [MirrorLink] = []
    for (link, target) in links("duplicate", in: fields, of: url)
    where seen.insert(target.identityText).inserted {
      mirrors.append(
        MirrorLink(
          url: target, priority: priority(link), isPreferred: link.first("pref") != nil,
          location: link.first("geo").flatMap { $0.isEmpty ? nil : $0.asciiLowercased }))
    }
    // The sort is stable: equals stay in the order of the server.
    mirrors.sort { one, other in
      one.isPreferred == other.isPreferred
        ? one.priority < other.priority : one.isPreferred
    }
    return Array(mirrors.prefix(maximumCount))
  }

  /// The descriptions (`rel=describedby`), in the order in which they were listed.
  /// - Parameters:
  ///   - fields: The header section of the answer.
  ///   - url: The address that answered, to which relative targets refer.
  /// - Returns: At most `maximumCount`.
  public static func descriptions(in fields: HeaderFields, of url: HTTPURL) -> [DescriptionLink] {
    var seen: Set<String> = []
    var descriptions: [DescriptionLink] = []
    for (link, target) in links("describedby", in: fields, of: url)
    where descriptions.count < maximumCount && seen.insert(target.identityText).inserted {
      let type = link.first("type").flatMap { $0.isEmpty ? nil : $0.asciiLowercased }
      descriptions.append(DescriptionLink(url: target, mediaType: type))
    }
    return descriptions
  }

  private static func links(
    _ relation: String, in fields: HeaderFields, of url: HTTPURL
  ) -> [(WebLink, HTTPURL)] {
    fields.all("Link").flatMap(WebLink.links).compactMap { link in
      guard link.hasRelation(relation), let target = try? url.resolve(link.target),
        target.scheme == "http" || target.scheme == "https"
      else { return nil }
      if let anchor = link.first("anchor") {
        guard let context = try? url.resolve(anchor), context.identityText == url.identityText
        else { return nil }
      }
      return (link, target)
    }
  }

  private static func priority(_ link: WebLink) -> Int {
    let lowest = 999_999
    guard let text = link.first("pri"), let value = Int64(decimalDigits: text.utf8),
      (1...Int64(lowest)).contains(value)
    else { return lowest }
    return Int(value)
  }
}
