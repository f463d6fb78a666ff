import Testing

@testable import Benchmarks

@Suite struct DocumentTests {
  @Test func aSectionIsReplacedAndTheRestStays() {
    let first = Document.replace(.results, by: "one\n", in: "# Title\n")
    let second = Document.replace(.profile, by: "two\n", in: first)
    let third = Document.replace(.results, by: "three\n", in: second + "\nend\n")
    #expect(
      third == """
        # Title

        <!-- results: written by a program -->

        ## Haul and its peers

        three

        <!-- end of results -->

        <!-- profile: written by a program -->

        ## Where Haul's time goes

        two

        <!-- end of profile -->

        end

        """)
    #expect(Document.replace(.results, by: "three\n", in: third) == third)
  }

  @Test func tablesLineUp() {
    var table = MarkdownTable(["row", "wall time"])
    #expect(table.isEmpty)
    table.add(["a|b", "1"])
    table.add(["c\nd"])
    table.add(["e", "2", "beyond"])
    #expect(
      table.text == """
        | row  | wall time |
        |------|-----------|
        | a\\|b | 1         |
        | c d  |           |
        | e    | 2         |

        """)
  }
}
