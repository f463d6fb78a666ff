import Testing

@testable import HaulCLI

/// The command that goes on, as it can be pasted.
@Suite struct RepeatCommandTests {
  @Test(arguments: [
    ([], "haul get http://h/x"), (["-d", "a b"], "haul get -d 'a b' http://h/x"),
    (["-d", "it's"], "haul get -d 'it'\\''s' http://h/x"),
    (["-o", ""], "haul get -o '' http://h/x"),
    (["-d", "~/x"], "haul get -d '~/x' http://h/x"),
    (["-d", "$HOME"], "haul get -d '$HOME' http://h/x"),
    (["--exists=skip", "-j", "4"], "haul get --exists=skip -j 4 http://h/x"),
    (["-d", "Grüße"], "haul get -d 'Grüße' http://h/x"),
  ])
  func isQuotedForAShell(_ options: [String], _ line: String) {
    let command = RepeatCommand(["haul", "get"] + options + ["http://h/x"])
    #expect(command.line(skipping: false) == line)
  }

  @Test func skippingComesBeforeWhatWasTyped() {
    let command = RepeatCommand(["./haul", "get", "--", "http://h/x?a=1&b=2"])
    #expect(
      command.line(skipping: true) == "./haul get --exists skip -- 'http://h/x?a=1&b=2'")
  }

  @Test(arguments: [
    ["--user", "me:hunter2", "http://h/x"], ["-H", "Authorization: x", "http://h/x"],
    ["--secret-header=X-Key: 1", "http://h/x"], ["http://me:hunter2@h/x"], ["http://me@h/x"],
    ["http://h/x?token=1"], ["http://h/x?q=0123456789abcdef"],
    ["--proxy", "http://u:p@h:1", "http://h/x"],
    ["-e", "http://h/?token=1", "http://h/x"], ["-d", "a\nb", "http://h/x"],
    ["-d", "a\u{202E}b", "http://h/x"], ["-d", "a\u{FFFD}", "http://h/x"],
    ["http://h/" + String(repeating: "x", count: 3000)], ["--no-such", "http://h/x"],
  ])
  func whatHoldsASecretOrCannotBePastedIsNotShown(_ arguments: [String]) {
    #expect(RepeatCommand(["haul", "get"] + arguments).line(skipping: false) == nil)
  }

  /// A Metalink document that came by a pipe was called a list.
  @Test(arguments: [
    (["-i", "-"], "-i - < LIST"), (["--input=-"], "--input=- < LIST"), (["-i", "list"], "-i list"),
    (["-M", "-"], "-M - < DOCUMENT"), (["-M/dev/stdin"], "-M/dev/stdin < DOCUMENT"),
    (["--metalink=/dev/fd/63"], "--metalink=DOCUMENT"), (["-i", "/proc/self/fd/11"], "-i LIST"),
    (["--digest-from", "-", "http://h/x"], "--digest-from - http://h/x < CHECKSUMS"),
    (["--digest-from", "/dev/fd/63", "-i", "-"], "--digest-from CHECKSUMS -i - < LIST"),
    (["-d", "/dev/fd/63", "http://h/x"], "-d /dev/fd/63 http://h/x"),
  ])
  func whatIsGoneIsCalledWhatItWas(_ arguments: [String], _ line: String) {
    let command = RepeatCommand(["haul", "get"] + arguments)
    #expect(command.line(skipping: false) == "haul get " + line)
  }

  @Test func whetherItHasAnOption() {
    #expect(RepeatCommand(["haul", "get", "--exists", "skip"]).has("exists"))
    #expect(!RepeatCommand(["haul", "get"]).has("exists"))
  }
}
