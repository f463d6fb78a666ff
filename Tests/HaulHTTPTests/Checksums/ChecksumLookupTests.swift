import HaulHTTP
import Testing

/// Which entry of a checksum file is meant.
@Suite struct ChecksumLookupTests {
  static let one = String(repeating: "11", count: 32)
  static let two = String(repeating: "22", count: 32)
  static let weak = String(repeating: "33", count: 20)
  static let strong = String(repeating: "44", count: 64)

  func look(
    _ lines: [String], _ url: String = "https://example.org/pub/a/file.iso", own: String? = nil,
    alone: Bool = true, file: String = "SUMS"
  ) throws -> String {
    let text = lines.joined(separator: "\n")
    let sums = ChecksumFile(parsing: Array(text.utf8), named: file)
    return try sums.digest(for: try HTTPURL(parsing: url), ownName: own, isOnlyFile: alone).hex
  }

  func failure(
    _ lines: [String], _ url: String = "https://example.org/pub/a/file.iso", own: String? = nil,
    alone: Bool = true, file: String = "SUMS"
  ) -> ChecksumLookupFailure? {
    #expect(throws: ChecksumLookupFailure.self) {
      try look(lines, url, own: own, alone: alone, file: file)
    }
  }

  @Test func theStrongestAlgorithmWins() throws {
    let lines = ["\(Self.weak)  file.iso", "\(Self.one)  file.iso", "\(Self.strong)  file.iso"]
    #expect(try look(lines) == Self.strong)
    #expect(try look(lines.reversed()) == Self.strong)
    // A weaker one that is listed twice says nothing against it.
    let other = String(Self.weak.reversed()).replacing("3", with: "5")
    #expect(try look(lines + ["\(other)  file.iso"]) == Self.strong)
    // The same line twice is no contradiction.
    #expect(try look(lines + lines) == Self.strong)
  }

  @Test func twoDigestsOfOneNameAreRefused() {
    #expect(
      failure(["\(Self.one)  file.iso", "SHA256 (./file.iso) = \(Self.two)"])
        == .ambiguous(name: "file.iso", paths: ["file.iso"]))
    #expect(failure([Self.one, Self.two]) == .ambiguous(name: "", paths: []))
  }

  /// The lists of an installer hold `linux` in a dozen folders.
  @Test func thePathDecidesBetweenEqualNames() throws {
    let lines = ["\(Self.one)  ./netboot/linux", "\(Self.two)  ./netboot/gtk/linux"]
    #expect(try look(lines, "https://example.org/x/netboot/linux") == Self.one)
    #expect(try look(lines, "https://example.org/x/netboot/gtk/linux") == Self.two)
    #expect(try look(lines, "https://example.org/x/net%62oot/gtk/linux") == Self.two)
    #expect(
      failure(lines, "https://example.org/other/linux")
        == .ambiguous(name: "linux", paths: ["netboot/gtk/linux", "netboot/linux"]))
    // The longest path that fits is meant.
    let nested = ["\(Self.one)  linux", "\(Self.two)  gtk/linux"]
    #expect(try look(nested, "https://example.org/gtk/linux") == Self.two)
    #expect(try look(nested, "https://example.org/xgtk/linux") == Self.one)
    // Where they agree, nothing is to be decided.
    let same = ["\(Self.one)  a/linux", "\(Self.one)  b/linux"]
    #expect(try look(same, "https://example.org/linux") == Self.one)
  }

  /// Algorithms of two files were compared, and the stronger one of the wrong file would have won.
  @Test func differentFoldersAreNotComparedByStrength() {
    let lines = ["\(Self.one)  x/linux", "\(Self.strong)  y/linux"]
    #expect(
      failure(lines, "https://example.org/linux")
        == .ambiguous(name: "linux", paths: ["x/linux", "y/linux"]))
  }

  @Test func aFolderThatIsNotInTheAddressIsNoMatter() throws {
    #expect(try look(["\(Self.one)  dist/file.iso"]) == Self.one)
  }

  @Test func theOwnersNameIsLookedUpAfterTheAddress() throws {
    let lines = ["\(Self.one)  file.iso", "\(Self.two)  mine.iso"]
    #expect(try look(lines, own: "mine.iso") == Self.one)
    #expect(try look(lines, "https://example.org/get?id=7", own: "mine.iso") == Self.two)
    #expect(try look(lines, "https://example.org/", own: "mine.iso") == Self.two)
    #expect(try look(lines, "https://example.org/file.iso?token=x#y") == Self.one)
  }

  @Test func whatIsNotListedIsNamedWithWhatIs() {
    let lines = ["zebra", "file.img", "ape", "file.iso.asc", "fox"].map { "\(Self.one)  d/\($0)" }
    #expect(
      failure(lines, own: "mine")
        == .notListed(
          asked: ["file.iso", "mine"], listed: ["file.iso.asc", "file.img", "fox"], count: 5))
    #expect(
      failure(lines, "https://example.org/")
        == .notListed(asked: [], listed: ["ape", "file.img", "file.iso.asc"], count: 5))
  }

  @Test func aDigestWithoutANameIsOfTheOnlyFile() throws {
    #expect(try look([Self.one]) == Self.one)
    #expect(try look([Self.weak, Self.one, ""], "https://example.org/") == Self.one)
    #expect(failure([Self.one], alone: false) == .unnamed)
    // Beside named ones it is of none of them.
    #expect(
      failure([Self.one, "\(Self.two)  other"])
        == .notListed(asked: ["file.iso"], listed: ["other"], count: 1))
  }

  @Test func whatHoldsNoDigestSaysWhatItIs() {
    #expect(failure([]) == .noDigests(unknownAlgorithms: [], isWebPage: false))
    #expect(
      failure([" <!DOCTYPE HTML>", "<p>log in</p>"])
        == .noDigests(unknownAlgorithms: [], isWebPage: true))
    #expect(
      failure(["\(Self.strong)  file.iso"], file: "B2SUMS")
        == .noDigests(unknownAlgorithms: ["BLAKE2"], isWebPage: false))
    #expect(
      failure(["A1 (x) = 1", "B2 (x) = 1", "C3 (x) = 1", "D4 (x) = 1", "A1 (x) = 2"])
        == .noDigests(unknownAlgorithms: ["A1", "B2", "C3"], isWebPage: false))
  }
}
