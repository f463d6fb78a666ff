import Testing

@testable import Benchmarks

@Suite struct OptionsTests {
  @Test func optionsAreRead() throws {
    let options = try Options([
      "--haul", "/h", "--quick", "--rounds", "9", "--only", "1k", "--only", "large", "--seed", "5",
      "--json", "out", "--compare", "old",
    ])
    #expect(options.haul == "/h")
    #expect(options.isQuick)
    #expect(options.only == ["1k", "large"])
    #expect(options.seed == 5)
    #expect(options.json == "out")
    #expect(options.earlier == "old")
    #expect(options.scale.rounds == 9)
    #expect(options.scale.largeSize == Scale.quick.largeSize)
    #expect(try Options([]).scale == .full)
  }

  @Test(arguments: [
    (["--fast"], "there is no option --fast"), (["--seed"], "--seed needs a value"),
    (["--rounds", "0"], "--rounds takes a number from 1 to 1000"),
    (["--rounds", "x"], "--rounds takes a number from 1 to 1000"),
  ]) func whatIsWrongIsSaid(_ words: [String], _ message: String) {
    #expect(throws: Options.Usage(message: message)) { try Options(words) }
  }

  @Test func rowsAreChosenByTheBeginningsOfTheirNames() throws {
    let workloads = Catalogue.workloads(.quick)
    let large = try Options(["--only", "large-t", "--only", "1k"]).select(workloads)
    #expect(large.map(\.name) == ["large-tls", "1k"])
    #expect(try Options([]).select(workloads).count == workloads.count)
    let unknown = try Options(["--only", "huge"])
    #expect(throws: Options.Usage.self) { try unknown.select(workloads) }
  }
}
