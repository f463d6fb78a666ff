public import HaulRecords

/// Gives a rule the database that it looks at.
public protocol DatabaseFixture: Sendable {
  /// Opens the database, which is empty the first time. From the second time on the one before is
  /// closed first, and what was committed has to be there again.
  func open() throws -> any RecordDatabase
}

/// Something that holds for every implementation of `RecordDatabase`.
///
/// ```swift
/// @Test(arguments: DatabaseRule.all) func keeps(_ rule: DatabaseRule) throws {
///   try rule.check(MyFixture())
/// }
/// ```
public struct DatabaseRule: Sendable, CustomStringConvertible {
  /// The rule in words.
  public let description: String
  private let body: @Sendable (any DatabaseFixture) throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (any DatabaseFixture) throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Looks whether a new database keeps the rule.
  ///
  /// - Throws: `DatabaseRule.Broken` when it does not, and what the database throws.
  public func check(_ fixture: any DatabaseFixture) throws { try body(fixture) }

  /// What was expected and not found.
  public struct Broken: Error, CustomStringConvertible {
    /// What was expected.
    public let description: String
  }

  /// All rules.
  public static let all: [DatabaseRule] = changes + listing + pages + [random(seeds: 1...3)]
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  guard condition else { throw DatabaseRule.Broken(description: text()) }
}

/// The body fails with this code.
func requireFailure(
  _ code: DatabaseFailure.Code, _ text: String, _ body: () throws(DatabaseFailure) -> Void
) throws {
  do {
    try body()
  } catch {
    return try require(error.code == code, "\(text): \(code) and not \(error.code): \(error)")
  }
  throw DatabaseRule.Broken(description: "\(text): \(code), and nothing was thrown")
}
