import HaulTestKit
import Testing

@testable import HaulCLI

/// What only bash has to be helped with: it cuts arguments at `=` and `:`, and hands over quotes.
@Suite(.timeLimit(.minutes(5))) struct BashCompletionTests {
  let files = ["file.txt", "folder/", "a b.txt"]

  func lines(_ pairs: KeyValuePairs<String, String>, unbroken: String = "") async throws {
    let completer = Completer(shell: .bash, unbroken: unbroken)
    let found = try await completer.complete(pairs.map(\.key), files: files)
    for (typed, then) in pairs { #expect(found[typed]?.line == then, "\(typed)") }
  }

  @Test func anArgumentThatIsCutIsPutTogether() async throws {
    try await lines([
      "haul get --exists=re": "haul get --exists=rename ",
      "haul get --proxy http://h:80 --exi": "haul get --proxy http://h:80 --exists ",
      "haul get --proxy=http://h:80 --exi": "haul get --proxy=http://h:80 --exists ",
      "haul get --proxy http://h:80/ fi": "haul get --proxy http://h:80/ fi",
      "haul get -H 'X: --exists' --stric": "haul get -H 'X: --exists' --strict ",
      "haul get -H X:1 -d fo": "haul get -H X:1 -d folder/",
      "haul get http://h/?a=b -o fi": "haul get http://h/?a=b -o file.txt ",
      "haul get --output=fi": "haul get --output=file.txt ",
      "haul get --quiet=n": "haul get --quiet=no ",
    ])
  }

  @Test func anArgumentThatIsNotCutIsCompletedAsWell() async throws {
    try await lines(
      [
        "haul get --exists=re": "haul get --exists=rename ",
        "haul get --output=fi": "haul get --output=file.txt ",
        "haul get --output=a": "haul get --output=a\\ b.txt ",
        "haul get --directory=fo": "haul get --directory=folder/",
        "haul get --proxy http://h:80 --exi": "haul get --proxy http://h:80 --exists ",
      ], unbroken: "=:")
  }

  @Test func aValueMayFollowAShortOptionAtOnce() async throws {
    try await lines([
      "haul get -ofi": "haul get -ofile.txt ",
      "haul get -qvofi": "haul get -qvofile.txt ",
      "haul get -oa": "haul get -oa\\ b.txt ",
      "haul get -dfo": "haul get -dfolder/",
      "haul get -j3 --exi": "haul get -j3 --exists ",
      "haul get -qj --exi": "haul get -qj --exi",
      "haul get -o": "haul get -o ",
    ])
  }

  @Test func namesAreQuotedAsTheShellNeedsThem() async throws {
    try await lines([
      "haul get -o a": "haul get -o a\\ b.txt ",
      "haul get -o \"a": "haul get -o \"a b.txt\" ",
      "haul get --output='a": "haul get --output='a b.txt' ",
      "haul get -o a\\ ": "haul get -o a\\ b.txt ",
      "haul get -d ~/he": "haul get -d ~/here/",
      "haul get -d $HOME/he": "haul get -d $HOME/here/",
      "haul get -o ~/he": "haul get -o ~/here/",
    ])
  }

  @Test func redirectionsAreCompletedByTheShell() async throws {
    try await lines([
      "haul get http://h/ > fi": "haul get http://h/ > file.txt ",
      "haul get http://h/ >fi": "haul get http://h/ >file.txt ",
      "haul get -i x 2>fi": "haul get -i x 2>file.txt ",
    ])
  }

  @Test func otherCommandsOfTheLineDoNotMatter() async throws {
    try await lines([
      "true -- ; haul get --exi": "true -- ; haul get --exists ",
      "haul get -- x | haul get --exi": "haul get -- x | haul get --exists ",
      "  haul  get   --exists   re": "  haul  get   --exists   rename ",
    ])
  }
}
