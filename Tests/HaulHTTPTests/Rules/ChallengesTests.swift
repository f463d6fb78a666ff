import HaulHTTP
import Testing

@Suite struct ChallengesTests {
  @Test(arguments: [
    ([], []),
    (["Basic realm=\"x\""], ["basic"]),
    (["Basic realm=\"a, Digest b\", charset=\"UTF-8\""], ["basic"]),
    (
      ["Digest realm=\"x\", nonce=\"y\", qop=\"auth,auth-int\", Basic realm=\"z\""],
      ["digest", "basic"]
    ),
    (["Bearer", "Negotiate"], ["bearer", "negotiate"]),
    (
      ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
      [
        "newauth", "basic",
      ]
    ),
    (["Negotiate, NTLM , Basic realm = \"x\", title = \"y\""], ["negotiate", "ntlm", "basic"]),
    (["", ",, ,", "\"", "=x"], []),
    (["Basic realm=\"open, Digest"], ["basic"]),
  ])
  func schemesAreToldFromParameters(_ values: [String], _ schemes: [String]) {
    #expect(Challenges.schemes(in: values) == schemes)
  }
}
