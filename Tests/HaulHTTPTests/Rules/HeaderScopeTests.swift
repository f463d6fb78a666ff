import HaulHTTP
import Testing

@Suite struct HeaderScopeTests {
  @Test(
    arguments: [
      ("https://h/y", true), ("https://H:443/", true), ("https://u@h/", true),
      ("http://h/x", false),
      ("https://h:8443/x", false), ("https://a.h/x", false), ("https://h.evil/x", false),
      ("https://h./x", false), ("https://h@evil/", false),
    ])
  func secretsStayWithTheirOrigin(to: String, expected: Bool) throws {
    let given = try HTTPURL(parsing: "https://h/x")
    #expect(HeaderScope.mayCarrySecrets(to: try HTTPURL(parsing: to), given: given) == expected)
  }
}
