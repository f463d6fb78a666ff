import FoundationEssentials
import Testing

@testable import Benchmarks

@Suite struct ProfileTests {
  static let rules = """
    # stage, subject, pattern

    write\tsymbol\tcopy\tchain\t*write*
    sync\tchain\t*fsync*
    socket\tsymbol\tcopy_to_iter
    kernel\tobject\t[*
    Haul\tsymbol\t$s4Haul*
    Haul\tobject\t*/haul
    """

  @Test func theFirstRuleThatFitsDecides() throws {
    let rules = try StageRules(Self.rules)
    #expect(rules.stages == ["write", "sync", "socket", "kernel", "Haul", "other"])
    let copy = Frame(symbol: "copy_to_iter", object: "[kernel.kallsyms]")
    let wait = Frame(symbol: "schedule", object: "[kernel.kallsyms]")
    let sync = Frame(symbol: "do_fsync", object: "[kernel.kallsyms]")
    let own = Frame(symbol: "main", object: "/bin/haul")
    let libc = Frame(symbol: "memcpy", object: "/lib/libc.so.6")
    #expect(rules.stage(of: [copy, own]) == "socket")
    #expect(rules.stage(of: [wait, own]) == "kernel")
    #expect(rules.stage(of: [wait, sync, own]) == "sync")
    #expect(rules.stage(of: [copy, sync, own]) == "sync")
    #expect(rules.stage(of: [own]) == "Haul")
    // Where several conditions are given, all have to hold.
    let bare = Frame(symbol: "copy", object: "/lib/libc.so.6")
    let write = Frame(symbol: "vfs_write", object: "[kernel.kallsyms]")
    #expect(rules.stage(of: [bare, write]) == "write")
    #expect(rules.stage(of: [bare]) == "other")
    #expect(rules.stage(of: [libc, write]) == "other")
    // Its caller's file does not count, only its own.
    #expect(rules.stage(of: [libc, own]) == "other")
    #expect(rules.stage(of: []) == "other")
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abcd", false), ("abc*", "abcd", true), ("*bcd", "abcd", true),
    ("*bc*", "abcd", true), ("*bd*", "abcd", false), ("*", "", true), ("**", "x", true),
    ("[*", "[kernel]", true),
  ]) func starsStandForAnything(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(StageRules.Pattern(pattern)?.matches(text) == matches)
  }

  @Test(arguments: [
    "stage\tsymbol", "stage\tcolour\tx", "a\tsymbol\tb\tc", "a\tsymbol\tb\tchain", "a\tsymbol\tb*c",
    "stage symbol x",
  ])
  func aBrokenRuleIsNamed(_ line: String) {
    #expect(throws: StageRules.Malformed(line: 2)) { try StageRules("# first\n\(line)\n") }
  }

  /// The file that the scripts give is next to the sources.
  @Test func theRulesThatAreShippedAreSound() throws {
    let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let rules = try StageRules(
      String(contentsOfFile: "/\(folder)/stages.tsv", encoding: .utf8))
    let write = ["copy_folio_from_iter_atomic", "generic_perform_write"].map {
      Frame(symbol: $0, object: "[kernel.kallsyms]")
    }
    #expect(rules.stage(of: write) == "kernel: page cache copy")
    let read = ["_copy_to_iter", "tcp_recvmsg", "__x64_sys_recvfrom"].map {
      Frame(symbol: $0, object: "[kernel.kallsyms]")
    }
    #expect(rules.stage(of: read) == "kernel: socket copy")
    #expect(
      rules.stage(of: [Frame(symbol: "$s8HaulCurl8CurlLoopC", object: "/x/haul")]) == "Haul's own")
    #expect(
      rules.stage(of: [Frame(symbol: "swift_retain", object: "/x/haul")]) == "Swift runtime")
    #expect(
      rules.stage(of: [Frame(symbol: "[unknown]", object: "/x/libcurl.so.4.8.0")]) == "libcurl")
  }

  @Test func samplesOfPerfAreRead() {
    let text = """

      \tffffffff81b6ab30 _copy_to_iter ([kernel.kallsyms])
      \t           20b74 read (/usr/lib/libc.so.6)

      \t           1462a operator new(unsigned long) (/usr/lib/libstdc++.so.6)
      \t               0 [unknown] ([unknown])


      """
    var samples: [[Frame]] = []
    PerfScript.forEachSample(in: text) { samples.append($0) }
    #expect(
      samples == [
        [
          Frame(symbol: "_copy_to_iter", object: "[kernel.kallsyms]"),
          Frame(symbol: "read", object: "/usr/lib/libc.so.6"),
        ],
        [
          Frame(symbol: "operator new(unsigned long)", object: "/usr/lib/libstdc++.so.6"),
          Frame(symbol: "[unknown]", object: "[unknown]"),
        ],
      ])
  }

  @Test func linesOfCallgrindAreRead() {
    let known = CallgrindReport.function(
      "1,234,567 (12.34%)  ./malloc/malloc.c:_int_malloc [/usr/lib/libc.so.6]")
    #expect(known?.frame == Frame(symbol: "_int_malloc", object: "/usr/lib/libc.so.6"))
    #expect(known?.instructions == 1_234_567)
    let bare = CallgrindReport.function("  42  ???:0x0000000000011aa0 [/x/haul]")
    #expect(bare?.frame == Frame(symbol: "0x0000000000011aa0", object: "/x/haul"))
    // Small percentages are padded, and inlined functions have no object.
    let inlined = CallgrindReport.function(
      "  980,322 ( 3.23%)  ./elf/dl.h:swift::find(int, char*) const")
    #expect(inlined?.frame == Frame(symbol: "swift::find(int, char*) const", object: ""))
    #expect(inlined?.instructions == 980_322)
    for line in ["Ir", "9,876 (100.0%)  PROGRAM TOTALS", "-----", "Events shown:     Ir", ""] {
      #expect(CallgrindReport.function(line[...]) == nil, "\(line)")
    }
  }

  @Test func sharesAreParts() throws {
    let rules = try StageRules(Self.rules)
    var profile = Profile()
    profile.add([Frame(symbol: "a", object: "/bin/haul")], weight: 3, rules)
    profile.add([Frame(symbol: "b", object: "[kernel]")], rules)
    profile.add([], rules)
    #expect(profile.share("Haul") == 0.75)
    #expect(profile.share("kernel") == 0.25)
    #expect(profile.share("sync") == 0)
    #expect(profile.costliest(1).map(\.function.frame.symbol) == ["a"])
    #expect(Profile().share("Haul") == 0)
  }
}
