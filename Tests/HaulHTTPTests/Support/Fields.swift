import HaulHTTP

/// A header section from a literal: `["ETag": "\"a\"", "ETag": "\"b\""]`.
struct Fields: ExpressibleByDictionaryLiteral {
  let header: HeaderFields

  init(dictionaryLiteral elements: (String, String)...) {
    header = HeaderFields(elements.map { HeaderField(name: $0.0, value: $0.1) })
  }
}

/// A header section from a literal.
func header(_ fields: Fields) -> HeaderFields { fields.header }
