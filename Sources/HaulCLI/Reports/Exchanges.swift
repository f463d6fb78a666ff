import HaulHTTP
import HaulTransfer

/// Requests and answers as `--verbose` shows them on standard error.
enum Exchanges {
  static func tell(_ event: TransferEvent) {
    switch event {
    case .asked(let url, let start):
      Output.message("> GET \(url)" + (start.map { " from byte \($0)" } ?? ""))
    case .answered(let answer):
      Output.message("< \(name(answer.version)) \(answer.status)")
      for field in answer.fields { Output.message("< \(field.name): \(field.value)") }
    default: break
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
