import HaulHTTP
import HaulTransfer
import Testing

@testable import HaulCurl

/// Which proxy a request goes through, and what it is called.
@Suite struct ProxyChoiceTests {
  func choice(
    _ url: String = "http://files.test/", _ variables: [String: String] = [:],
    _ change: (inout ConnectionOptions) -> Void = { _ in }
  ) throws -> ProxyChoice? {
    var options = ConnectionOptions()
    change(&options)
    return ProxyChoice(for: try HTTPURL(parsing: url), options, ProxyVariables(variables))
  }

  @Test(arguments: [
    ("http://files.test/", ["http_proxy": "h:1", "all_proxy": "a:1"], "http_proxy"),
    ("https://files.test/", ["http_proxy": "h:1", "all_proxy": "a:1"], "all_proxy"),
    ("https://files.test/", ["https_proxy": "h:1", "HTTPS_PROXY": "H:1"], "https_proxy"),
    ("https://files.test/", ["HTTPS_PROXY": "h:1", "ALL_PROXY": "a:1"], "HTTPS_PROXY"),
    ("http://files.test/", ["ALL_PROXY": "a:1"], "ALL_PROXY"),
    ("http://files.test/", ["http_proxy": "", "all_proxy": "a:1"], "all_proxy"),
  ])
  func theNearestVariableCounts(
    _ url: String, _ variables: [String: String], _ source: String
  ) throws {
    #expect(try choice(url, variables)?.source == source)
    #expect(try choice(url, variables)?.text == variables[source])
  }

  @Test(arguments: [
    // A server's visitor could set this one (CVE-2016-5385).
    ["HTTP_PROXY": "h:1"], ["https_proxy": "h:1"], [:],
    ["http_proxy": "h:1", "no_proxy": "files.test"],
    ["http_proxy": "h:1", "NO_PROXY": "test"], ["all_proxy": "h:1", "no_proxy": "*"],
  ])
  func withoutOneTheServerIsAskedDirectly(_ variables: [String: String]) throws {
    #expect(try choice("http://files.test/", variables) == nil)
  }

  @Test func whatIsGivenRulesOverTheEnvironment() throws {
    let variables = ["http_proxy": "h:1", "no_proxy": "files.test"]
    #expect(try choice("http://other.test/", variables) { $0.proxy = "p:2" }?.text == "p:2")
    #expect(try choice("http://other.test/", variables) { $0.proxy = "" } == nil)
    // As with curl, the exceptions of the environment also hold for a proxy that was given.
    #expect(try choice("http://files.test/", variables) { $0.proxy = "p:2" } == nil)
    let all = try choice("http://files.test/", variables) {
      $0.proxy = "p:2"
      $0.noProxy = ""
    }
    #expect(all?.text == "p:2")
    #expect(try choice("http://other.test/", variables) { $0.noProxy = "other.test" } == nil)
  }

  @Test(arguments: [
    ("http://me:hunter2@h.test:3128", "the proxy h.test:3128 of --proxy"),
    ("h.test", "the proxy h.test:1080 of --proxy"),
    ("https://h.test", "the proxy h.test:443 of --proxy"),
    ("socks5h://me:hun@ter2@[::1]:9", "the proxy [::1]:9 of --proxy"),
    ("http://me:hunter2@a b", "the proxy of --proxy"),
  ])
  func itIsNamedWithoutItsSecrets(_ text: String, _ name: String) throws {
    #expect(try choice { $0.proxy = text }?.name == name)
  }
}
