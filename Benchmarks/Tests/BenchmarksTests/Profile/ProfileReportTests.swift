import Testing

@testable import Benchmarks

@Suite struct ProfileReportTests {
  static func report() throws -> ProfileReport {
    let rules = try StageRules("kernel\tobject\t[*\nHaul\tsymbol\t$s4Haul*\nrare\tsymbol\tnever\n")
    var profile = Profile()
    profile.add([Frame(symbol: "$s4Haul3run", object: "/bin/haul")], weight: 3, rules)
    profile.add([Frame(symbol: "copy", object: "[kernel.kallsyms]")], weight: 1, rules)
    profile.add([Frame(symbol: "[unknown]", object: "/lib/libz.so.1")], weight: 4, rules)
    return ProfileReport(
      date: "2026-01-02T03:04:05Z", isQuick: false, profiler: .callgrind, stages: rules.stages,
      columns: [.init(workload: "w", contestant: "haul", profile: profile)],
      names: ["$s4Haul3run": "Haul.run"])
  }

  @Test func stagesStandInTheOrderOfTheRules() throws {
    #expect(
      try Self.report().text == """
        2026-01-02T03:04:05Z. Parts of instructions outside of the kernel, by callgrind.

        | stage  | w, haul   |
        |--------|-----------|
        | kernel | 12.5 %    |
        | Haul   | 37.5 %    |
        | other  | 50.0 %    |
        | all    | 0 million |

        ### The costliest functions

        | work    | part   | stage  | function       |
        |---------|--------|--------|----------------|
        | w, haul | 50.0 % | other  | `in libz.so.1` |
        | w, haul | 37.5 % | Haul   | `Haul.run`     |
        | w, haul | 12.5 % | kernel | `copy`         |

        """)
  }

  @Test func aQuickProfileIsMarked() throws {
    var report = try Self.report()
    report.isQuick = true
    #expect(report.text.hasPrefix("**This was a quick run"))
  }

  @Test func samplesAreTime() {
    #expect(Profiler.perf.amount(4_999 * 2) == "2.00 s")
    #expect(Profiler.callgrind.amount(3_400_000) == "3 million")
  }

  @Test func theProfilerRunsTheWholeCommand() {
    let command = Command(["/bin/haul", "get", "-q"])
    #expect(
      Profiler.perf.recording(command, into: "/p").words
        == ["perf", "record", "-q", "-g", "-F", "4999", "-o", "/p", "--", "/bin/haul", "get", "-q"])
    #expect(
      Profiler.callgrind.recording(command, into: "/p").words
        == [
          "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=/p", "/bin/haul", "get", "-q",
        ])
  }
}
