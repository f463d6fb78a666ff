/// A command line that cannot be carried out; exit status 2.
struct UsageError: Error, Hashable {
  /// What is wrong, and the right form.
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
