import Foundation
import Glibc
import Haul
import HaulRecords
import HaulSQLite
import HaulTestKit
import Testing

/// A whole list of downloads whose process is killed again and again, while one thing after another is asked
/// of it and the server does its worst.
///
/// All that is drawn follows from a seed, which `HAUL_LIST_SEED` sets; what threads and sockets make of it
/// is another matter. 20 kills, or 200 with `HAUL_TEST_ALL`.
@Suite(.timeLimit(.minutes(10))) struct ListKillTests {
  @Test func fiftyFilesComeThroughKills() async throws {
    let kills = environment["HAUL_TEST_ALL"] == nil ? 20 : 200
    let seed = environment["HAUL_LIST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    let random = SeededRandom(seed: seed)
    let note: Comment = "HAUL_LIST_SEED=\(seed)"
    let list = try HostileList(seed: seed)
    let host = try Host()
    try host.folder.write(Array(list.wishes.utf8), to: "wishes")
    for kill in 0..<kills {
      let child = try host.start("unrest", "wishes", "\(random.next() >> 32)")
      // The instant of the kill is the input of this test, not something to be waited for.
      try await Task.sleep(for: .milliseconds(20 + Int(random.next() % 581)))
      child.signal(SIGKILL)
      let exit = await child.wait()
      #expect(exit == .signalled(SIGKILL), "\(note), kill \(kill): \(child.outputText)")
      try host.checkDatabase("\(note), kill \(kill)")
    }
    list.behave()
    let child = try host.start("finish", "wishes")
    guard await child.waitForText("closed\n", in: .output) else {
      Issue.record("\(note): \(child.exit.map { "\($0)" } ?? "it runs"), \(child.outputText)")
      return
    }
    #expect(await child.wait() == .exited(0))
    check(child.outputText, host, list, note)
    let left = try await DownloadEngine().leftovers(inFolder: host.folder.path + "/downloads")
    #expect(left.isEmpty, note)
    try host.checkDatabase(note)
    let secrets = try SecretFile("secrets", inFolder: host.state).ids()
    #expect(try Set(secrets).isSubset(of: host.ids()), note)
    #expect(secrets.count == 8, note)
  }

  /// Every file is there once, whole, under one of its names, and nothing else is.
  private func check(_ output: String, _ host: Host, _ list: HostileList, _ note: Comment) {
    let items = output.split(separator: "\n").filter { $0.hasPrefix("item ") }
    #expect(items.count == list.files.count, note)
    var numbers: Set<Int> = []
    var names: [String] = []
    for item in items {
      let words = item.split(separator: " ", maxSplits: 5).map(String.init)
      guard words.count == 6, let number = Int(words[1]), numbers.insert(number).inserted else {
        Issue.record("\(note): \(item)")
        continue
      }
      let (file, path) = (list.files[number], words[5])
      #expect(words[3] == "finished" && words[4] == "\(file.content.size)", "\(note): \(item)")
      #expect(file.content.difference(path: path) == nil, "\(note): \(item)")
      let name = String(path.split(separator: "/").last ?? "")
      // The part of one that was removed just before a kill may have held the name of the one that was added
      // again from the other address.
      let plain = name.replacingOccurrences(of: " (1)", with: "")
      #expect(
        file.names.contains(name) || file.names.contains(plain), "\(note): \(item)")
      names.append(name)
    }
    #expect(host.folder.names(in: "downloads") == names.sorted(), note)
  }
}
