import Foundation
import HaulTestKit
import Testing

@testable import HaulCLI

/// Installing by the Makefile, with the program that the tests run.
@Suite(.timeLimit(.minutes(1))) struct MakefileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs make in the project; `settings` are its variables.
  func make(
    _ target: String, _ settings: String..., by user: [String] = []
  ) async throws -> Outcome {
    let command =
      user + [
        "make", "-j4", "--no-print-directory", target, "SCRATCH=\(folder.path("build"))",
        "PROGRAM=\(Haul.path)",
      ] + settings
    let child = try ChildProcess(
      command[0], Array(command.dropFirst()), environment: Haul.environment,
      folder: Documents.root)
    return await Outcome(of: child)
  }

  /// The files below a folder, each with its mode.
  func files(in name: String) -> [String: Int] {
    let base = folder.path(name)
    var found: [String: Int] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: base) ?? .init() {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(base)/\(path)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      found[path] = (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
    return found
  }

  @Test func everythingIsInstalledAndRemovedAgain() async throws {
    // A space in the name of the folder must not matter.
    let staged = "DESTDIR=" + folder.path("a root")
    let installed = try await make("install", staged)
    #expect(installed.exit == .exited(0), "\(installed.error)")
    let share = "usr/local/share"
    let expected = [
      "usr/local/bin/haul": 0o755, "\(share)/man/man1/haul.1": 0o644,
      "\(share)/bash-completion/completions/haul": 0o644,
      "\(share)/zsh/site-functions/_haul": 0o644,
      "\(share)/fish/vendor_completions.d/haul.fish": 0o644,
    ]
    let documents = [
      "README.md", "CHANGELOG.md", "LICENSE", "CODES.md", "FORMATS.md", "FROM-ARIA2.md",
      "FROM-CURL.md", "FROM-WGET.md", "TROUBLESHOOTING.md", "events.schema.json",
    ].map { ("\(share)/doc/haul/\($0)", 0o644) }
    #expect(files(in: "a root") == expected.merging(documents) { $1 })
    #expect(folder.text("a root/\(share)/man/man1/haul.1") == ManualPage.text())
    for (shell, name) in [
      (Shell.bash, "bash-completion/completions/haul"), (.zsh, "zsh/site-functions/_haul"),
      (.fish, "fish/vendor_completions.d/haul.fish"),
    ] {
      #expect(folder.text("a root/\(share)/\(name)") == shell.completions())
    }
    #expect(try await make("uninstall", staged).exit == .exited(0))
    #expect(files(in: "a root") == [:])
    #expect(folder.kind(of: "a root/\(share)/doc/haul") == nil)
    #expect(try await make("uninstall", staged).exit == .exited(0))
  }

  @Test func packagersChooseTheFolders() async throws {
    let installed = try await make(
      "install", "DESTDIR=" + folder.path("root"), "PREFIX=/usr", "MANDIR=/usr/man",
      "ZSHDIR=/usr/share/zsh/vendor-completions", "INSTALL=install -p")
    #expect(installed.exit == .exited(0), "\(installed.error)")
    let names = files(in: "root").keys
    #expect(names.contains("usr/bin/haul"))
    #expect(names.contains("usr/man/man1/haul.1"))
    #expect(names.contains("usr/share/zsh/vendor-completions/_haul"))
    #expect(names.allSatisfy { $0.hasPrefix("usr/") && !$0.hasPrefix("usr/local") })
  }

  /// A user who may not write there was told by `install` of a temporary file that could not be made.
  @Test(.enabled(if: geteuid() == 0)) func whoMayNotWriteThereIsToldWhatToDo() async throws {
    #expect(try await make("all").exit == .exited(0))
    try folder.makeFolder("root")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let refused = try await make(
      "install", "DESTDIR=" + folder.path("root"),
      by: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    #expect(refused.exit == .exited(2))
    #expect(refused.error.contains("haul: \(folder.path("root")) may not be written"))
    #expect(refused.error.contains("make install PREFIX="))
    #expect(files(in: "root") == [:])
  }

  @Test func flagsOfPackagersReachTheCompiler() async throws {
    let plan = try await make(
      "all", "PROGRAM=\(folder.path("build"))/release/haul", "-n", "CPPFLAGS=-DX=1",
      "CFLAGS=-O1 -g", "LDFLAGS=-Wl,-z,relro -Wl,-z,now -fPIE -L/opt/lib", "SWIFTFLAGS=-j 1")
    #expect(plan.exit == .exited(0), "\(plan.error)")
    let flags =
      "-j 1 -Xcc -DX=1 -Xcc -O1 -Xcc -g -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now "
      + "-Xlinker -L/opt/lib"
    #expect(plan.output.contains("--scratch-path '\(folder.path("build"))' \(flags)\n"))
  }

  @Test func theVersionHasOneSource() async throws {
    #expect(try await make("version").output == Version.number + "\n")
    let changelog = try String(
      contentsOfFile: Documents.root + "/debian/changelog", encoding: .utf8)
    #expect(changelog.hasPrefix("haul (\(Version.number)) "))
    let trailer = try #require(changelog.split(separator: "\n").first { $0.hasPrefix(" -- ") })
    let parser = DateFormatter()
    parser.locale = Locale(identifier: "en_US_POSIX")
    parser.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
    parser.timeZone = TimeZone(identifier: "UTC")
    let text = try #require(trailer.firstRange(of: ">  ")).upperBound
    let date = try #require(parser.date(from: String(trailer[text...])))
    parser.dateFormat = "MMMM d, yyyy"
    #expect(parser.string(from: date) == Version.date)
  }

  @Test func whatIsMissingIsNamedAndNotInstalled() async throws {
    let child = try ChildProcess(
      Documents.root + "/scripts/setup",
      [
        "--check", "there=true", "haul-no-such-package=false", "haul-nor-this=command -v haul-none",
      ],
      environment: Haul.environment.merging(["PATH": Self.path]) { $1 })
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(1))
    #expect(
      outcome.error
        == "haul: some packages are missing; please run, as root: apt-get install -y "
        + "--no-install-recommends haul-no-such-package haul-nor-this\n")
  }

  /// That of the tests, since the toolchain may stand anywhere.
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
}
