import Testing

@testable import Benchmarks

@Suite struct CommandTests {
  static let single = Fetch(
    files: [.init(url: "http://h/a", name: "a")], folder: "/out", digest: "abc", source: "/in/a")
  static let secure = Fetch(
    files: [.init(url: "https://h/a", name: "a")], folder: "/out", authority: "/ca.pem",
    digest: "abc")
  static let many = Fetch(
    files: [.init(url: "http://h/a", name: "a"), .init(url: "http://h/b", name: "b")],
    folder: "/out", parallel: 16, list: "/list")

  struct Case: Sendable, CustomTestStringConvertible {
    var contestant: Contestant
    var fetch: Fetch
    var words: String

    var testDescription: String { words }
  }

  static let cases: [Case] = [
    Case(
      contestant: .haul(isDurable: true), fetch: single, words: "P get -q -d /out -o a http://h/a"),
    Case(
      contestant: .haul(isDurable: false, isChecked: true), fetch: secure,
      words: "P get -q -d /out --no-sync --cacert /ca.pem --digest sha-256=abc -o a https://h/a"),
    Case(
      contestant: .haul(isDurable: false, connections: 8), fetch: single,
      words: "P get -q -d /out -x 8 --no-sync -o a http://h/a"),
    Case(
      contestant: .haul(isDurable: true), fetch: many, words: "P get -q -d /out -j 16 -i /list"),
    Case(contestant: .curl, fetch: single, words: "P -q -sS --fail -o /out/a http://h/a"),
    Case(
      contestant: .curl, fetch: secure,
      words: "P -q -sS --fail --cacert /ca.pem -o /out/a https://h/a"),
    Case(
      contestant: .curl, fetch: many,
      words: "P -q -sS --fail --parallel --parallel-max 16 -K /list"),
    Case(
      contestant: .aria2c(connections: 8, isChecked: true), fetch: secure,
      words: "P -q --no-conf --auto-save-interval=0 -k 1M -d /out --ca-certificate=/ca.pem "
        + "--checksum=sha-256=abc --file-allocation=falloc -x 8 -s 8 -o a https://h/a"),
    Case(
      contestant: .aria2c(), fetch: many,
      words: "P -q --no-conf --auto-save-interval=0 -k 1M -d /out --file-allocation=none "
        + "-j 16 -i /list"),
    Case(
      contestant: .wget2, fetch: secure,
      words: "P -q --no-config --no-hsts --no-ocsp --ca-certificate=/ca.pem -O /out/a https://h/a"),
    Case(
      contestant: .wget2, fetch: many,
      words: "P -q --no-config --no-hsts --no-ocsp --max-threads=16 -P /out -i /list"),
    Case(
      contestant: .axel(connections: 4), fetch: single, words: "P -q -n 4 -o /out/a http://h/a"),
    Case(
      contestant: .axel(connections: 4), fetch: secure,
      words: "P -q -n 4 -k -o /out/a https://h/a"),
    Case(
      contestant: .wget2Chunks(threads: 8), fetch: single,
      words: "P --chunk-size=1M --max-threads=8 -q --no-config --no-hsts --no-ocsp -O /out/a "
        + "http://h/a"),
    Case(contestant: .receiver, fetch: single, words: "P http://h/a /out/a"),
    Case(contestant: .copy, fetch: single, words: "P /in/a /out/a"),
  ]

  @Test(arguments: cases) func commandsAreWhatTheProgramsTake(_ test: Case) {
    let command = test.contestant.command(for: test.fetch, path: "P")
    #expect(command?.words.joined(separator: " ") == test.words)
  }

  @Test func whatAProgramCannotDoHasNoCommand() {
    #expect(Contestant.axel(connections: 4).command(for: Self.many, path: "P") == nil)
    #expect(Contestant.curlAndDigest.command(for: Self.many, path: "P") == nil)
    #expect(Contestant.wget2Chunks(threads: 8).command(for: Self.many, path: "P") == nil)
    #expect(Contestant.receiver.command(for: Self.many, path: "P") == nil)
    #expect(Contestant.receiver.command(for: Self.secure, path: "P") == nil)
    #expect(Contestant.copy.command(for: Self.many, path: "P") == nil)
    #expect(Contestant.ideal(connections: 8).command(for: Self.single, path: "P") == nil)
    #expect(Program.axel.list(of: Self.many) == nil)
  }

  @Test func aDigestIsCheckedWithPathsAsArguments() throws {
    let command = try #require(Contestant.curlAndDigest.command(for: Self.single, path: "P"))
    #expect(command.words.prefix(2) == ["/bin/sh", "-c"])
    #expect(
      command.words.dropFirst(3).joined(separator: " ")
        == "sh /out/a abc P -q -sS --fail -o /out/a http://h/a")
  }

  @Test func listsAreWhatTheProgramsRead() {
    #expect(Program.haul.list(of: Self.many) == "http://h/a\nhttp://h/b\n")
    #expect(
      Program.curl.list(of: Self.many)
        == """
        url = "http://h/a"
        output = "/out/a"
        url = "http://h/b"
        output = "/out/b"

        """)
  }

  @Test(arguments: [
    ("haul 0.1.0\nlibcurl/7.88.1", "0.1.0"), ("curl 7.88.1 (x86_64) libcurl/7.88.1", "7.88.1"),
    ("aria2 version 1.36.0\nCopyright", "1.36.0"), ("GNU Wget2 1.99.1 - multithreaded", "1.99.1"),
    ("Axel 2.17.11 (linux-gnu)", "2.17.11"), ("nginx version: nginx/1.22.1", "1.22.1"),
    ("no number here", nil), ("", nil),
  ]) func versionsAreFound(_ text: String, _ version: String?) {
    #expect(Program.version(in: text) == version)
  }
}
