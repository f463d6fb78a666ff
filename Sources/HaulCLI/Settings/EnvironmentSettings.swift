import Glibc

/// Options from the environment: `HAUL_LIMIT_RATE=2M` is `--limit-rate 2M`.
///
/// An empty variable counts as none. Variables that are no option of `haul get` are not ours.
struct EnvironmentSettings {
  private let lookUp: (String) -> String?

  /// The environment of the process, or another one for tests.
  init(_ lookUp: @escaping (String) -> String? = Self.ofProcess) {
    self.lookUp = lookUp
  }

  subscript(_ name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }

  func apply(to options: inout GetOptions) throws(UsageError) {
    for option in GetOptionTable.all {
      guard let name = option.variable, let value = self[name] else { continue }
      do { try option.apply(&options, value) } catch {
        throw UsageError("the variable \(name): \(error.message)")
      }
    }
  }

  static func ofProcess(_ name: String) -> String? {
    // The value is copied at once, and nothing in this program changes the environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
