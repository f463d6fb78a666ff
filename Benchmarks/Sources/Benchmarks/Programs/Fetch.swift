/// What a program is asked to fetch.
struct Fetch: Sendable, Hashable {
  struct File: Sendable, Hashable {
    var url: String
    var name: String
  }

  /// At least one.
  var files: [File]
  /// Where the files go; it exists and is empty.
  var folder: String
  /// How many files at once.
  var parallel = 1
  /// The certificate to trust, or nil over plain HTTP.
  var authority: String?
  /// The SHA-256 of the only file, in hexadecimal digits.
  var digest: String?
  /// The path of the only file where the server has it.
  var source: String?
  /// The path of the program's list of files, or nil for a single file.
  var list: String?

  /// The path that a single file gets.
  var target: String { "\(folder)/\(files.first?.name ?? "")" }

  /// The URL of a single file.
  var url: String { files.first?.url ?? "" }
}
