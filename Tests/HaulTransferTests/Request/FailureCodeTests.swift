import Testing

@testable import HaulTransfer

@Suite struct FailureCodeTests {
  @Test(arguments: FileFailure.Code.allCases)
  func everyFailureOnDiskHasItsNameAmongTransfers(_ code: FileFailure.Code) throws {
    let twin = try #require(TransferFailure.Code(rawValue: code.rawValue))
    let failure = TransferFailure(FileFailure(code: code, message: "what happened"))
    #expect(failure == TransferFailure(code: twin, message: "what happened"))
    #expect([.file, .policy, .interrupted].contains(twin.category))
  }

  @Test func everyCategoryHasACodeAndEveryCodeItsCategory() {
    let byCategory = Dictionary(grouping: TransferFailure.Code.allCases, by: \.category)
    #expect(byCategory[.network]?.count == 9)
    #expect(byCategory[.server] == [.httpStatus, .redirectLoop])
    #expect(byCategory[.integrity]?.count == 8)
    #expect(byCategory[.file]?.count == FileFailure.Code.allCases.count - 2)
    #expect(byCategory[.policy] == [.scheme, .redirectRefused, .unsafeTarget, .tooLarge])
    #expect(byCategory[.interrupted] == [.interrupted])
    #expect(byCategory.values.map(\.count).reduce(0, +) == TransferFailure.Code.allCases.count)
  }

  /// Programs rely on these texts.
  @Test func codesAreShortAndPlain() {
    for code in TransferFailure.Code.allCases {
      #expect(code.rawValue.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) })
    }
    #expect(
      Set(TransferFailure.Code.allCases.map(\.rawValue)).count
        == TransferFailure.Code.allCases.count)
  }
}
