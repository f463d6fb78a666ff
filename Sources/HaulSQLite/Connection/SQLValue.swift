/// What is bound to a parameter of a statement.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  /// A text that may be missing.
  static func text(ifAny text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }

  /// A number that may be missing.
  static func integer(ifAny number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
}
