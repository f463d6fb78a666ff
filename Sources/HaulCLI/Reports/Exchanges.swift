import HaulHTTP
import HaulTransfer

/// Requests and answers as `--verbose` shows them on standard error.
enum Exchanges {
  static func tell(_ event: TransferEvent) {
    for line in lines(event) { Output.message(line) }
  }

  static func lines(_ event: TransferEvent) -> [String] {
    switch event {
    case .asked(let request):
      ["> GET \(request.url)" + (request.start.map { " from byte \($0)" } ?? "")]
        + request.fields.map { "> \($0.name): \($0.value)" }
    case .answered(let answer):
      ["< \(name(answer.version)) \(answer.status)"]
        + answer.fields.map { "< \($0.name): \($0.value)" }
    default: []
    }
  }

  private static func name(_ version: HTTPVersion) -> String {
    switch version {
    case .http10: "HTTP/1.0"
    case .http11: "HTTP/1.1"
    case .http2: "HTTP/2"
    case .http3: "HTTP/3"
    }
  }
}
