import FoundationEssentials
import Testing

@testable import Benchmarks

@Suite struct ReportTests {
  static func results(haul: Double = 1, memory: Int = 20_480, fault: String? = nil) -> Results {
    var results = Results(
      date: "2026-01-02T03:04:05Z", isQuick: false, rounds: 5, seed: 7,
      machine: Machine(
        cpuinfo: "processor: 0\nmodel name: Some CPU", meminfo: "MemTotal: 1048576 kB",
        kernel: "6.1", mountinfo: "1 0 0:1 / / rw - ext4 d rw", loadavg: "0.25 0 0", disk: "/"),
      versions: ["haul": "0.1.0", "curl": "7.88.1"], calibration: [0.01, 0.0101])
    let workload = Catalogue.workloads(.full).first { $0.name == "1k" }
    results.outcomes = [
      Results.Outcome(
        workload: "1k",
        entries: (workload?.contestants ?? []).map { contestant in
          let isHaul = contestant.program == .haul
          return Results.Entry(
            contestant: contestant.label,
            samples: [
              Sample(wall: isHaul ? haul : 2, cpu: 1, memory: isHaul ? memory : 1024)
            ],
            fault: isHaul ? fault : nil, httpVersion: "HTTP/1.1")
        })
    ]
    return results
  }

  @Test func theReportSaysWhatWasMeasuredWhere() {
    let text = Report(Self.results()).text
    #expect(
      text.hasPrefix(
        """
        - 2026-01-02T03:04:05Z; 5 rounds, random order with seed 7
        - 1 × Some CPU, 1024 MiB, Linux 6.1, disk: ext4
        - curl 7.88.1, haul 0.1.0
        - load before: 0.25
        - a computation of fixed length took 10.1 ms: usually 0.5 %, one time in ten 1.0 %, at most 1.0 % more than at best

        ### Ratios
        """), "\(text)")
    #expect(text.contains("0.50 (0.50–0.50), ≤ 1.50: met"))
    #expect(text.contains("20.0 MiB | ≤ 24 MiB: met"))
  }

  @Test func figuresThatAreNotToBeBelievedAreMarked() {
    var results = Self.results()
    #expect(!Report(results).text.contains("not to be believed"))
    results.isQuick = true
    #expect(Report(results).text.hasPrefix("**This was a quick run"))
    results.isQuick = false
    results.rounds = 4
    #expect(Report(results).text.hasPrefix("**Fewer than five rounds"))
    results.rounds = 5
    results.calibration = [0.01, 0.02, 0.02]
    #expect(Report(results).text.hasPrefix("**The machine was busy"))
  }

  @Test func anIdealIsSaidToBeComputed() throws {
    let workload = try #require(Catalogue.workloads(.full).first { $0.name == "segments-16" })
    var results = Self.results()
    results.outcomes = [
      Results.Outcome(
        workload: workload.name,
        entries: workload.contestants.map { contestant in
          Results.Entry(
            contestant: contestant.label,
            samples: [
              workload.ideal(contestant) ?? Sample(wall: 4.04, cpu: 0.5, memory: 20_480)
            ])
        })
    ]
    let report = Report(results)
    let row = try #require(report.rows.first { $0.against == "ideal, 16 connections" })
    #expect(row.wall?.text == "1.01 (1.01–1.01), ≤ 1.02: met")
    // No processor time to compare with.
    #expect(row.cpu == nil)
    let line = report.text.split(separator: "\n").last { $0.contains("ideal, 8 connections") }
    let cells = line?.split(separator: "|").map { String($0).trimming }
    #expect(
      cells == ["segments-16", "ideal, 8 connections", "8.00 s", "–", "–", "", "computed"])
  }

  @Test func memoryHasATargetForEachNumberOfConnections() throws {
    let workload = try #require(Catalogue.workloads(.full).first { $0.name == "segments-16" })
    var results = Self.results()
    results.outcomes = [
      Results.Outcome(
        workload: workload.name,
        entries: workload.contestants.map {
          Results.Entry(
            contestant: $0.label, samples: [Sample(wall: 1, cpu: 1, memory: 39 << 10)])
        })
    ]
    let text = Report(results).text
    #expect(text.contains("haul -x 16 | 39.0 MiB | ≤ 40 MiB: met"))
    #expect(text.contains("haul       | 39.0 MiB | ≤ 32 MiB: missed"))
  }

  @Test func tooMuchMemoryIsATargetMissed() {
    #expect(Report(Self.results(memory: 30_000)).text.contains("≤ 24 MiB: missed"))
  }

  @Test func aFailureOfHaulIsKnown() {
    #expect(!Report(Self.results()).hasFailedHaul)
    let failed = Report(Self.results(fault: "f1.bin is wrong"))
    #expect(failed.hasFailedHaul)
    #expect(failed.text.contains("haul: f1.bin is wrong"))
    #expect(failed.text.contains("≤ 24 MiB: not measured"))
  }

  @Test func resultsOutliveTheirFile() throws {
    let results = Self.results()
    let bytes = try JSONEncoder().encode(results)
    #expect(try JSONDecoder().decode(Results.self, from: bytes) == results)
  }

  @Test func aChangeIsThatOfTheRatio() {
    let table = Change.table(
      from: Report(Self.results(haul: 1)), to: Report(Self.results(haul: 1.6)))
    #expect(table.text.contains("0.50 → 0.80 | worse"))
    #expect(table.text.contains("1.00 → 1.00 | as before"))
    let back = Change.table(
      from: Report(Self.results(haul: 1.6)), to: Report(Self.results(haul: 1)))
    #expect(back.text.contains("0.80 → 0.50 | better"))
  }
}
