/// The version of the program. The package's changelog says the same, and a test compares them.
enum Version {
  static let number = "0.1.0"
  /// The day of this version, as manual pages write it.
  static let date = "November 30, 2026"
}
