import FoundationEssentials
import Haul
import HaulHTTP
import HaulRecords

/// The files that a test wants, each with two addresses that have the same bytes.
struct Wishes {
  /// By file: its addresses.
  let urls: [[HTTPURL]]
  private let numbers: [String: Int]

  /// Reads a line for each file, with its addresses separated by spaces.
  init(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var urls: [[HTTPURL]] = []
    for line in text.split(separator: "\n") {
      urls.append(try line.split(separator: " ").map { try HTTPURL(parsing: String($0)) })
    }
    self.urls = urls
    var numbers: [String: Int] = [:]
    for (number, addresses) in urls.enumerated() {
      for url in addresses { numbers[url.redacted] = number }
    }
    self.numbers = numbers
  }

  var count: Int { urls.count }

  /// Which file a download is.
  func number(of snapshot: DownloadSnapshot) -> Int? { numbers[snapshot.url] }

  /// Whether no other file ends in the same name.
  func hasNameAlone(_ number: Int) -> Bool {
    let name = urls[number][0].lastPathSegment
    return urls.count { $0[0].lastPathSegment == name } == 1
  }

  /// Asks for a file. Some carry secrets.
  func request(_ number: Int, address: Int = 0) -> DownloadRequest {
    var request = DownloadRequest(urls[number][address])
    if number.isMultiple(of: 7) {
      request.secrets.fields = [SecretField(name: "X-Key", value: "key of \(number)")]
    }
    return request
  }
}
