import Testing

@testable import HaulTransfer

@Suite struct NetrcTests {
  static func read(_ text: String) throws(NetrcError) -> Netrc {
    try Netrc(parsing: Array(text.utf8))
  }

  @Test(arguments: [
    "machine h login me password pw", "MACHINE H LOGIN me PASSWORD pw\r\n",
    "machine h\n\tlogin me\n\n\tpassword pw\n", "machine h password pw login me",
    "machine h account x login me password pw", "machine h login me account login password pw",
    "# machine h login a password b\nmachine h login me # why\npassword pw",
    "machine x login a password b\nmachine h login me password pw",
    "macdef m\nmachine h login a password b\n\nmachine h login me password pw",
    "machine x login a password b macdef m\nmachine h login a\n\t\nmachine h login me password pw",
    "machine \"h\" login \"me\" password \"pw\"", "default login me password pw",
    "machine h login me password pw port 80", "\u{FEFF}machine h login me password pw",
    "machine h. login me password pw", "machine h login a\nmachine h login me password pw",
    "machine h\nmachine h login me password pw",
    "machine h login me password pw\nmachine h login a password b",
    "default login me password pw\nmachine h login a password b",
  ])
  func userAndPasswordOfAHost(_ text: String) throws {
    let expected = Credentials(user: "me", password: "pw")
    #expect(try Self.read(text).credentials(for: "h") == expected)
    #expect(try Self.read(text).credentials(for: "H.") == expected)
  }

  @Test(arguments: [
    ("machine h login me", "me", ""), ("machine h password pw", "", "pw"),
    ("machine h login me password \"\"", "me", ""),
    ("machine h login me password \"p q\\\"\\\\\\n\\t\\r\\x\"", "me", "p q\"\\\n\t\rx"),
    ("machine h login me password p\"q", "me", "p\"q"),
    ("machine h login me password p#q", "me", "p#q"),
    ("machine h login me password machine", "me", "machine"),
    ("machine h login password password login", "password", "login"),
    ("machine h login käse password 日本", "käse", "日本"),
  ])
  func oddValues(_ text: String, _ user: String, _ password: String) throws {
    #expect(
      try Self.read(text).credentials(for: "h") == Credentials(user: user, password: password))
  }

  @Test func otherHostsGetNothingButTheDefault() throws {
    let text = "machine h login me password pw\nmachine [::1] login six password 6\n"
    let named = try Self.read(text)
    for host in ["x", "h.x", "x.h", "hh", "", "::2"] {
      #expect(named.credentials(for: host) == nil)
    }
    #expect(named.credentials(for: "[::1]")?.user == "six")
    #expect(named.credentials(for: "::1")?.user == "six")
    let withDefault = try Self.read(text + "default login any password all")
    #expect(withDefault.credentials(for: "x")?.user == "any")
    #expect(withDefault.credentials(for: "h")?.user == "me")
    #expect(withDefault.credentials(for: "x", allowsDefault: false) == nil)
    #expect(withDefault.credentials(for: "h", allowsDefault: false)?.user == "me")
    #expect(try Self.read("machine h").credentials(for: "h") == nil)
  }

  @Test func theUserOfTheURLChoosesAmongEntries() throws {
    let netrc = try Self.read(
      "machine h login a password 1\nmachine h login b password 2\ndefault login c password 3")
    #expect(netrc.credentials(for: "h", user: "b")?.password == "2")
    #expect(netrc.credentials(for: "h", user: "c")?.password == "3")
    #expect(netrc.credentials(for: "h", user: "d") == nil)
  }

  @Test(arguments: [
    ("machine h login me password \"pw", 1, "a quote that does not end"),
    ("machine h\nlogin me\npassword \"pw\\\"\n\n", 3, "a quote that does not end"),
    ("machine h login me password", 1, "a value is missing"),
    ("machine h\nlogin\n\n", 2, "a value is missing"),
    ("machine", 1, "a value is missing"),
    ("machine h login me password #pw\n", 1, "in quotes"),
    ("", nil, "machine HOST login USER"), ("# only\n", nil, "machine HOST login USER"),
    ("{\"json\": true}", nil, "machine HOST login USER"),
    ("login me password pw", nil, "machine HOST login USER"),
    ("machine h\u{0}", nil, "UTF-8"),
  ])
  func whatCannotBeRead(_ text: String, _ line: Int?, _ says: String) throws {
    let error = #expect(throws: NetrcError.self) { try Self.read(text) }
    #expect(error?.line == line)
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("pw") == false)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: NetrcError.self) { try Netrc(parsing: Array("machine h login ".utf8) + [0xFF]) }
  }

  @Test func nothingOfItIsShown() throws {
    let netrc = try Self.read("machine h login me password hunter2")
    #expect(!"\(netrc)".contains("hunter2"))
    #expect(!String(reflecting: netrc).contains("hunter2"))
  }
}
