import FoundationEssentials
import Glibc

/// Time, processor and memory of this process.
enum Meter {
  /// Tells how long something takes.
  static func time<Value>(_ name: String, _ body: () async throws -> Value) async rethrows -> Value
  {
    let clock = ContinuousClock()
    let (start, processor) = (clock.now, processorMilliseconds)
    let value = try await body()
    tell(name, clock.now - start, processorMilliseconds - processor)
    return value
  }

  static func time<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    let clock = ContinuousClock()
    let (start, processor) = (clock.now, processorMilliseconds)
    let value = try body()
    tell(name, clock.now - start, processorMilliseconds - processor)
    return value
  }

  /// Of all threads of this process.
  static var processorMilliseconds: Double { Double(Glibc.clock()) / 1000 }

  static var residentMiB: Int { mebibytes("VmRSS") }
  static var peakMiB: Int { mebibytes("VmHWM") }

  private static func tell(_ name: String, _ duration: Duration, _ processor: Double) {
    let time = duration.components
    let microseconds = time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
    print("\(name): \(Double(microseconds) / 1000) ms, \(processor) ms of a processor")
  }

  private static func mebibytes(_ name: String) -> Int {
    let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
    let value = line?.split(separator: ":").last?.split { $0 == " " || $0 == "\t" }.first
    return (value.flatMap { Int($0) } ?? 0) / 1024
  }
}
