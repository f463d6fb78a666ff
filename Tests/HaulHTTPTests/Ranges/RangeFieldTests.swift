import HaulHTTP
import Testing

@Suite struct RangeFieldTests {
  @Test func writesInclusiveEnds() {
    #expect(RangeField.value(0..<100) == "bytes=0-99")
    #expect(RangeField.value(5..<6) == "bytes=5-5")
    #expect(RangeField.value(from: 100) == "bytes=100-")
    #expect(RangeField.value(0..<(.max)) == "bytes=0-9223372036854775806")
  }

  @Test func staysWellFormedForRangesThatCannotBeAskedFor() {
    #expect(RangeField.value(7..<7) == "bytes=7-7")
    #expect(RangeField.value(Int64.min..<Int64.min) == "bytes=0-0")
    #expect(RangeField.value(Int64.min..<10) == "bytes=0-9")
    #expect(RangeField.value(from: -1) == "bytes=0-")
  }
}
