import Testing

@testable import Benchmarks

@Suite struct MachineTests {
  static let mounts = """
    22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
    23 22 0:5 / /dev rw - devtmpfs udev rw
    24 23 0:20 / /dev/shm rw,nosuid shared:4 master:2 - tmpfs tmpfs rw
    25 22 0:30 / /data rw - xfs /dev/a rw
    26 22 0:31 / /data rw - btrfs /dev/b rw
    broken line
    """

  @Test(arguments: [
    ("/home/a", "ext4"), ("/dev/shm/x", "tmpfs"), ("/dev/shm", "tmpfs"),
    ("/dev/shmall", "devtmpfs"),
    ("/data/x", "btrfs"),
  ]) func theFileSystemIsThatOfTheNearestMount(_ path: String, _ type: String) {
    #expect(Machine.fileSystem(of: path, mountinfo: Self.mounts) == type)
  }

  @Test func theShapeIsRead() {
    let machine = Machine(
      cpuinfo: """
        processor\t: 0
        model name\t: Some CPU @ 2.4 GHz

        processor\t: 1
        model name\t: Some CPU @ 2.4 GHz
        """,
      meminfo: "MemTotal:       8192000 kB\nMemFree: 1 kB\n", kernel: "6.1.0-1-amd64\n",
      mountinfo: Self.mounts, loadavg: "0.75 0.5 0.25 1/100 4242\n", disk: "/work")
    #expect(machine.processors == 2)
    #expect(machine.model == "Some CPU @ 2.4 GHz")
    #expect(machine.memory == 8000)
    #expect(machine.kernel == "6.1.0-1-amd64")
    #expect(machine.fileSystem == "ext4")
    #expect(machine.load == 0.75)
  }

  @Test func whatCannotBeReadIsUnknown() {
    let machine = Machine(
      cpuinfo: "", meminfo: "", kernel: "", mountinfo: "", loadavg: "", disk: "/")
    #expect(machine.processors == 1)
    #expect(machine.model == "unknown")
    #expect(machine.fileSystem == "unknown")
  }

  @Test func thisMachineHasAShape() {
    let machine = Machine(disk: "/")
    #expect(machine.memory > 0)
    #expect(machine.kernel.contains("."))
    #expect(machine.fileSystem != "unknown")
  }
}
