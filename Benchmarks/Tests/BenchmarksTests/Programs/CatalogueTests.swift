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

  /// The default became adaptive, and a row of one connection was measured with eight.
  @Test func aNumberOfConnectionsIsAskedFor() {
    for workload in Self.workloads where workload.title.contains("on one connection") {
      for contestant in workload.contestants {
        guard case .haul(_, _, let connections) = contestant else { continue }
        #expect(connections == 1, "\(workload.name)")
      }
    }
  }

  @Test func everyIdealCanBeComputed() {
    for workload in Self.workloads {
      for contestant in workload.contestants where contestant.program == nil {
        #expect(workload.ideal(contestant) != nil, "\(workload.name)")
      }
    }
  }

  @Test func memoryMayGrowWithTheConnections() throws {
    func targets(_ name: String) -> [String]? {
      Self.workloads.first { $0.name == name }?.memoryTargets.map { "\($0.name): \($0.limit)" }
    }
    #expect(targets("large-plain") == ["haul -x 1: 24.0"])
    #expect(targets("large-plain-8") == ["haul -x 8: 32.0", "haul: 32.0"])
    #expect(targets("segments-16") == ["haul -x 16: 40.0", "haul: 32.0"])
    #expect(targets("10k-plain-disk") == ["haul: 40.0"])
    #expect(targets("version") == [])
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
