import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// Options from the config file and the environment.
@Suite struct SettingsTests {
  let folder: TemporaryFolder
  let url = "http://127.0.0.1:1/file"

  init() throws { folder = try TemporaryFolder() }

  func parse(
    _ arguments: [String], file: String? = nil, _ variables: [String: String] = [:]
  ) throws(UsageError) -> GetOptions {
    var variables = variables
    variables["XDG_CONFIG_HOME"] = variables["XDG_CONFIG_HOME"] ?? folder.path
    if let file {
      do {
        if folder.kind(of: "haul") == nil { try folder.makeFolder("haul") }
        try folder.write(text: file, to: "haul/config")
      } catch { throw UsageError("\(error)") }
    }
    let copy = variables
    return try Parser.parse(arguments + [url], environment: EnvironmentSettings { copy[$0] })
  }

  @Test func theFileIsReadByTheNamesOfTheOptions() throws {
    let options = try parse(
      [],
      file: """
        # a comment

        limit-rate = 2M
          jobs 7\r
        --tries=3
        no-sync
        strict = yes
        quiet = no
        user-agent = "a  b "
        header = X-One: 1
        header = X-Two: "2"
        """)
    #expect(options.limitRate == 2 << 20)
    #expect(options.parallel == 7)
    #expect(options.retries.tries == 3)
    #expect(!options.isDurable)
    #expect(options.isStrict)
    #expect(!options.isQuiet)
    #expect(options.userAgent == "a  b ")
    #expect(options.fields.map(\.field.value) == ["1", "\"2\""])
  }

  @Test func theCommandLineRulesOverTheEnvironmentAndThatOverTheFile() throws {
    let file = "jobs = 4\ntries = 4\nlow-speed = 4\nheader = A: 1\nno-sync\n"
    let variables = ["HAUL_TRIES": "5", "HAUL_LOW_SPEED": "5", "HAUL_HEADER": "A: 2"]
    let options = try parse(["--low-speed=6", "-H", "A: 3", "--no-sync=no"], file: file, variables)
    #expect(options.parallel == 4)
    #expect(options.retries.tries == 5)
    #expect(options.lowSpeed == 6)
    #expect(options.fields.map(\.field.value) == ["1", "2", "3"])
    #expect(options.isDurable)
  }

  /// There was no way to lift a limit of the config file for one run; curl, wget and aria2 take 0.
  @Test func aLimitIsTakenBackByZero() throws {
    #expect(try parse(["--limit-rate", "0"], file: "limit-rate = 2M").limitRate == nil)
    #expect(try parse([], ["HAUL_LIMIT_RATE": "0"]).limitRate == nil)
    #expect(try parse(["--limit-rate=1"]).limitRate == 1)
  }

  @Test func bothCanBeLeftOut() throws {
    let options = try parse(["--no-config"], file: "jobs = 4\nnonsense", ["HAUL_TRIES": "x"])
    #expect(options.parallel == 3)
    #expect(options.retries.tries == RetryPolicy().tries)
  }

  @Test func anEmptyVariableCountsAsNone() throws {
    #expect(try parse([], ["HAUL_TRIES": "", "HAUL_CONFIG": ""]).retries.tries == 8)
  }

  @Test func anotherFileCanBeNamed() throws {
    try folder.write(text: "jobs = 9", to: "other")
    let other = folder.path("other")
    #expect(try parse(["--config", other], file: "jobs = 4").parallel == 9)
    #expect(try parse([], file: "jobs = 4", ["HAUL_CONFIG": other]).parallel == 9)
    #expect(try parse(["--config", "/dev/null"], file: "jobs = 4").parallel == 3)
  }

  @Test func theHomeFolderIsTheDefault() throws {
    try folder.makeFolder(".config")
    try folder.makeFolder(".config/haul")
    try folder.write(text: "jobs = 9", to: ".config/haul/config")
    let path = folder.path
    for relative in ["", "relative"] {
      let options = try Parser.parse(
        [url], environment: EnvironmentSettings { ["HOME": path, "XDG_CONFIG_HOME": relative][$0] })
      #expect(options.parallel == 9)
    }
  }

  @Test(arguments: [
    ("jobs = many", "line 1: “jobs” takes a whole number"),
    ("\n\nlimit-rat = 2M", "line 3: there is no option “limit-rat”; did you mean --limit-rate?"),
    ("output = x", "“output” is about one run and belongs on the command line"),
    ("digest = md5=00", "“digest” is about one run"),
    ("jobs", "“jobs” needs a value: jobs = N"),
    ("no-sync = perhaps", "takes no value but yes or no"),
    ("= 5", "there is no option “”"),
  ])
  func aBadLineIsNamed(_ text: String, _ says: String) throws {
    let error = #expect(throws: UsageError.self) { try parse([], file: text) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("haul/config") == true)
  }

  /// `directory = ~/dl` made a folder of the name “~”: only a shell reads that, and none reads a
  /// config file, a variable, or what stands behind `=`.
  @Test func theHomeFolderIsMeantByATilde() throws {
    let home = ["HOME": "/home/me"]
    #expect(try parse([], file: "directory = ~/dl", home).folder == "/home/me/dl")
    #expect(try parse([], file: "directory = ~", home).folder == "/home/me")
    #expect(try parse([], file: "directory = ~other", home).folder == "~other")
    #expect(try parse([], file: "user-agent = ~/x", home).userAgent == "~/x")
    let variables = ["HAUL_DIRECTORY": "~/dl", "HOME": "/home/me"]
    #expect(try parse([], file: "", variables).folder == "/home/me/dl")
    #expect(try parse(["--directory=~/dl"], home).folder == "/home/me/dl")
    #expect(try parse(["-d~/dl"], home).folder == "/home/me/dl")
    #expect(try parse(["--output=~/name"], home).output == "/home/me/name")
    // A word of its own was quoted, or the shell would have read it.
    #expect(try parse(["-d", "~/dl"], home).folder == "~/dl")
    #expect(try parse(["--directory=./~/dl"], home).folder == "./~/dl")
  }

  @Test(arguments: [
    ("directory = $HOME/dl", "“$HOME/dl”: variables are not read here; the home folder is ~/"),
    ("directory = ${HOME}/dl", "variables are not read here"),
    ("directory = ~/dl", "HOME is not set"),
  ])
  func aHomeFolderThatIsNotKnownIsRefused(_ text: String, _ says: String) throws {
    let error = #expect(throws: UsageError.self) { try parse([], file: text) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test func aBadVariableIsNamed() throws {
    let error = #expect(throws: UsageError.self) { try parse([], ["HAUL_TRIES": "x"]) }
    #expect(error?.message.hasPrefix("the variable HAUL_TRIES takes") == true)
  }

  @Test func aVariableThatMeansNothingIsTold() throws {
    let variables = [
      "HAUL_LIMITRATE": "3", "HAUL_OUTPUT": "x", "HAUL_JOBS": "4", "HAUL_XYZZY": "1",
      "HAUL_BOGUS": "1",
      "HAUL_CONFIG": "/dev/null", "HAUL_EMPTY": "", "OTHER": "1",
    ]
    let options = try Parser.parse(
      [url],
      environment: EnvironmentSettings({ variables[$0] }, names: Array(variables.keys)))
    #expect(options.parallel == 4)
    #expect(
      options.warnings == [
        "the variable HAUL_BOGUS means nothing; see haul help environment",
        "the variable HAUL_LIMITRATE means nothing; did you mean HAUL_LIMIT_RATE?",
        "the variable HAUL_OUTPUT means nothing; --output stands on the command line only",
        "the variable HAUL_XYZZY means nothing; see haul help environment",
      ])
  }

  @Test func whatIsNoTextIsRefused() throws {
    try folder.makeFolder("haul")
    try folder.write([0x6A, 0xFF, 0xFE], to: "haul/config")
    let error = #expect(throws: UsageError.self) { try parse([]) }
    #expect(error?.message.contains("is not text in UTF-8") == true)
  }

  @Test func aSecretThatOthersMayReadIsWarnedOf() throws {
    let options = try parse([], file: "user = me:secret\nheader = A: 1\nheader = B: 2")
    // Once, however many there are.
    #expect(options.warnings.count == 1)
    #expect(options.warnings[0].contains("chmod 600"))
    #expect(!options.warnings[0].contains("me:secret"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("haul/config"))
    #expect(try parse([]).warnings == [])
  }

  @Test func noTwoOptionsShareAVariableOrAName() {
    let all = GetOptionTable.all
    #expect(Set(all.map(\.long)).count == all.count)
    #expect(Set(all.compactMap(\.short)).count == all.compactMap(\.short).count)
    #expect(Set(all.compactMap(\.variable)).count == all.compactMap(\.variable).count)
    for option in all { #expect(!option.summary.isEmpty && !option.summary.hasSuffix(".")) }
  }
}
