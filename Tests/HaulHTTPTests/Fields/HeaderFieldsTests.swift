import HaulHTTP
import Testing

@Suite struct HeaderFieldsTests {
  @Test func findsFieldsInAnyCase() {
    let fields = header(["A": "1", "b": "2", "a": "3"])
    #expect(fields.first("a") == "1")
    #expect(fields.all("A") == ["1", "3"])
    #expect(fields.combined("a") == "1, 3")
    #expect(fields.first("c") == nil)
    #expect(fields.combined("c") == nil)
  }

  @Test func keepsTheOrderOfArrival() {
    var fields = header(["A": "1"])
    fields.append(name: "B", value: "2")
    fields.append(name: "a", value: "3")
    #expect(fields.fields.map(\.name) == ["A", "B", "a"])
    #expect(fields.all("a") == ["1", "3"])
  }
}
