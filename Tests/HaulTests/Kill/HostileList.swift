import Foundation
import HaulTestKit
import Synchronization

/// An origin with 50 files of different sizes, each at two addresses, that answers as badly as it can until
/// it is told to behave.
final class HostileList: Sendable {
  struct File: Sendable {
    let content: OriginContent
    /// The names that its file may have.
    let names: Set<String>
    let paths: [String]
    let disposition: String?
  }

  let files: [File]
  let origin: HostileOrigin
  private let mood: Mood

  /// What the origin is like at present.
  private final class Mood: Sendable {
    let random: SeededRandom
    let isGood = Mutex(false)
    /// Who waits here hears nothing more until the origin behaves.
    let gate = Gate()
    init(seed: UInt64) { random = SeededRandom(seed: seed) }
    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  }

  init(seed: UInt64) throws {
    let mood = Mood(seed: seed)
    let files = (0..<50).map { Self.file($0, mood) }
    var byPath: [String: OriginResource] = [:]
    for (number, file) in files.enumerated() {
      var resource = OriginResource(file.content, etag: "\"\(number)\"")
      resource.disposition = file.disposition
      for path in file.paths { byPath[path] = resource }
    }
    let resources = byPath
    self.files = files
    self.mood = mood
    origin = try HostileOrigin { request in
      guard let resource = resources[request.path] else { return OriginResponse(status: 404) }
      return Self.answer(resource, request, mood)
    }
  }

  /// What is asked of the host: a line for each file.
  var wishes: String {
    files.map { $0.paths.map { origin.url($0) }.joined(separator: " ") }.joined(separator: "\n")
  }

  /// From now on everybody gets what he asks for.
  func behave() {
    mood.isGood.withLock { $0 = true }
    mood.gate.open()
  }

  private static func file(_ number: Int, _ mood: Mood) -> File {
    let size =
      switch number % 10 {
      case 0..<5: mood.draw(256 << 10)
      case 5..<9: (256 << 10) + mood.draw(1 << 20)
      default: (2 << 20) + mood.draw(4 << 20)
      }
    let content = OriginContent(
      size: number == 20 ? 0 : Int64(size), seed: UInt64(number) &+ 1)
    // The last two have one name, so one of them gets a number.
    if number >= 48 {
      return File(
        content: content, names: ["twin.bin", "twin (1).bin"],
        paths: ["/\(number)/twin.bin", "/other/\(number)/twin.bin"], disposition: nil)
    }
    let path = "file-\(number).bin"
    let isNamed = number % 6 == 1
    let name = isNamed ? "named-\(number).dat" : path
    return File(
      content: content, names: [name], paths: ["/\(path)", "/other/\(path)"],
      disposition: isNamed ? "attachment; filename=\"\(name)\"" : nil)
  }

  private static func answer(
    _ resource: OriginResource, _ request: OriginRequest, _ mood: Mood
  ) -> OriginResponse {
    let right = resource.respond(to: request)
    guard !mood.isGood.withLock({ $0 }) else { return right }
    let some = Int64(mood.draw(max(1, Int(right.bodyByteCount))))
    let slow = right.throttled(bytesPerSecond: 300_000 + mood.draw(2_000_000))
    return switch mood.draw(20) {
    case 0: slow.cutting(after: some)
    case 1: slow.resetting(after: some)
    case 2: slow.stalling(after: some, at: mood.gate)
    case 3: right.delayed(mood.gate)
    case 4: OriginResponse(status: 503, text: "busy").with("Retry-After", "1")
    case 5: OriginResponse(status: 500, text: "broken")
    case 6: .hangUp(.reset)
    case 7: OriginResponse(status: 404, text: "not here, for once")
    case 8: resource.ignoringRanges().respond(to: request).cutting(after: some)
    case 9..<13: right
    default: slow
    }
  }
}
