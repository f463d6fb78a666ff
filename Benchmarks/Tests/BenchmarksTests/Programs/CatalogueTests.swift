import HaulTestKit
import Testing

@testable import Benchmarks

@Suite struct CatalogueTests {
  static let workloads = Catalogue.workloads(.full)

  @Test func namesAreUsedOnce() {
    #expect(Set(Self.workloads.map(\.name)).count == Self.workloads.count)
    for workload in Self.workloads {
      #expect(!workload.name.contains(" "))
      #expect(Set(workload.contestants.map(\.label)).count == workload.contestants.count)
    }
  }

  @Test(arguments: workloads.map(\.name)) func everyComparisonIsMeasured(_ name: String) throws {
    let workload = try #require(Self.workloads.first { $0.name == name })
    #expect(!workload.comparisons.isEmpty)
    for comparison in workload.comparisons {
      let rivals =
        switch comparison.baseline {
        case .one(let rival): [rival]
        case .fastest(let rivals): rivals
        }
      #expect(comparison.subject.program == .haul)
      #expect(Set([comparison.subject] + rivals).isSubset(of: workload.contestants))
    }
  }

  @Test func quickMeasuresTheSameRows() {
    #expect(Catalogue.workloads(.quick).map(\.name) == Self.workloads.map(\.name))
  }

  @Test func whatIsProfiledIsThere() {
    for (name, contestant) in Session.profiled {
      let workload = Self.workloads.first { $0.name == name }
      #expect(workload?.contestants.contains(contestant) == true, "\(name)")
    }
  }

  @Test func namesOfFilesSortLikeTheirNumbers() {
    let files = FileSet(count: 10, size: 3)
    #expect(files.names.first == "f01.bin")
    #expect(files.names.last == "f10.bin")
    #expect(files.names == files.names.sorted())
    #expect(files.content(0).bytes() != files.content(1).bytes())
  }
}
