import Glibc
import HaulHTTP
import HaulRecords
import HaulSystem
import HaulTestKit
import Testing

@Suite struct SecretFileTests {
  private static func secrets(_ word: String) -> ItemSecrets {
    var secrets = ItemSecrets()
    secrets.credentials = SecretCredentials(
      user: "user-\(word)", password: "pass:\(word)\n\"\u{E4}")
    secrets.fields = [SecretField(name: "X-Token", value: "token-\(word)")]
    if word != "one" { secrets.proxy = SecretCredentials(user: "proxy-\(word)", password: "") }
    return secrets
  }

  private let folder: TemporaryFolder
  private let ids = (0..<3).map { RecordSample(seed: UInt64($0)).id() }

  init() throws { folder = try TemporaryFolder() }

  private func open() throws(SecretFailure) -> SecretFile {
    try SecretFile("secrets", inFolder: folder.path)
  }

  private func mode() -> mode_t {
    var status = stat()
    // The path is a C string during the call, which writes `status` alone.
    guard unsafe stat(folder.path("secrets"), &status) == 0 else { return 0 }
    return status.st_mode & 0o777
  }

  @Test func secretsAreThereAgain() throws {
    var store = try open()
    #expect(store.ids() == [])
    #expect(folder.names() == [])
    try store.store([ids[0]: Self.secrets("one"), ids[1]: Self.secrets("two")])
    #expect(folder.names() == ["secrets"])
    #expect(mode() == 0o600)
    store = try open()
    #expect(store.secrets(of: ids[0]) == Self.secrets("one"))
    #expect(store.secrets(of: ids[1]) == Self.secrets("two"))
    #expect(store.secrets(of: ids[2]) == nil)
    try store.remove([ids[0], ids[2]])
    store = try open()
    #expect(store.ids() == [ids[1]])
    try store.store([ids[1]: ItemSecrets()])
    #expect(try open().ids() == [])
  }

  @Test func memoryKeepsThemAsWell() throws {
    let store: any SecretStore = MemorySecrets()
    try store.store([ids[0]: Self.secrets("one"), ids[1]: ItemSecrets()])
    #expect(try store.ids() == [ids[0]])
    #expect(try store.secrets(of: ids[0]) == Self.secrets("one"))
    try store.remove(ids)
    #expect(try store.ids() == [])
  }

  @Test func aFileThatOthersCanReadIsRefused() throws {
    try open().store([ids[0]: Self.secrets("one")])
    for permissions: mode_t in [0o640, 0o604, 0o622] {
      // The path is a C string during the call.
      #expect(unsafe chmod(folder.path("secrets"), permissions) == 0)
      let failure = #expect(throws: SecretFailure.self) { try open() }
      #expect(failure?.code == .exposed)
      #expect(failure?.message.contains("chmod 600") == true)
      #expect(mode() == permissions)
    }
  }

  @Test func everyByteThatIsChangedOrMissingIsNoticed() throws {
    try open().store([ids[0]: Self.secrets("one")])
    let bytes = try #require(folder.read("secrets"))
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x15
      for content in [damaged, Array(bytes[..<index])] {
        try write(content)
        let failure = #expect(throws: SecretFailure.self) { try open() }
        // The number of the version may have become a higher one.
        #expect(failure?.code == .damaged || failure?.code == .newerVersion)
        #expect(folder.read("secrets") == content)
        #expect(failure?.message.contains("one") != true)
      }
    }
  }

  @Test func aNewerFormIsNamed() throws {
    try write(Array("haul-secrets 2 whatever is newer\n\u{1}\u{2}".utf8))
    #expect(throws: SecretFailure.self) { try open() }
    #expect(#expect(throws: SecretFailure.self) { try open() }?.code == .newerVersion)
  }

  @Test func aLinkOrAFolderIsNotFollowed() throws {
    try folder.makeLink("secrets", to: "elsewhere")
    #expect(throws: SecretFailure.self) { try open() }
    #expect(throws: SecretFailure.self) { try SecretFile("..", inFolder: folder.path) }
  }

  @Test func nothingDescribesASecret() throws {
    let secrets = Self.secrets("hush")
    var dumped = ""
    dump(secrets, to: &dumped)
    for text in [
      "\(secrets)", String(reflecting: secrets), dumped, "\(secrets.fields)", "\([secrets])",
      String(describing: secrets.credentials),
    ] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }

  /// With the power cut at each operation in turn, the old secrets are there or the new ones, and after
  /// the call returned only the new ones.
  @Test func aPowerCutLeavesTheOldOrTheNew() throws {
    let (one, two) = ([ids[0]: Self.secrets("one")], [ids[0]: Self.secrets("two")])
    for seed: UInt64 in 0..<12 {
      for operation in 1..<40 {
        let disk = SimulatedDisk()
        let store = try SecretFile("secrets", inFolder: "/state", disk: disk)
        try store.store(one)
        disk.cutPower(atOperation: disk.operations + operation)
        let isStored = (try? store.store(two)) != nil
        disk.crash(seed: seed)
        let found = try SecretFile("secrets", inFolder: "/state", disk: disk)
        let secrets = try #require(found.secrets(of: ids[0]), "seed \(seed), \(operation)")
        let isNew = secrets == Self.secrets("two")
        #expect(isNew || (secrets == Self.secrets("one") && !isStored))
        if isStored { break }
      }
    }
  }

  @Test(arguments: [
    (ENOSPC, SecretFailure.Code.diskFull), (EROFS, .readOnly), (EACCES, .notPermitted),
    (EIO, .failed),
  ])
  func aDiskThatFailsLeavesWhatWasThere(_ errno: Int32, _ code: SecretFailure.Code) throws {
    for call in [SimulatedDisk.Call.open, .write, .sync, .rename, .setPermissions] {
      let disk = SimulatedDisk()
      let store = try SecretFile("secrets", inFolder: "/state", disk: disk)
      try store.store([ids[0]: Self.secrets("one")])
      disk.fail(call, nth: 1, errno: errno)
      let failure = #expect(throws: SecretFailure.self) {
        try store.store([ids[0]: Self.secrets("two")])
      }
      #expect(failure?.code == code)
      #expect(store.secrets(of: ids[0]) == Self.secrets("one"))
      let again = try SecretFile("secrets", inFolder: "/state", disk: disk)
      #expect(again.secrets(of: ids[0]) == Self.secrets("one"))
      try again.store([ids[0]: Self.secrets("two")])
      #expect(again.secrets(of: ids[0]) == Self.secrets("two"))
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    try folder.write(bytes, to: "secrets")
    // The path is a C string during the call.
    _ = unsafe chmod(folder.path("secrets"), 0o600)
  }
}
