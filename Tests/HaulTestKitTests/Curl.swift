import HaulTestKit

/// Runs the `curl` command and gives what came of it.
func curl(_ arguments: String...) async throws -> (exit: ExitStatus, body: [UInt8], log: String) {
  let child = try ChildProcess("curl", ["-sS", "--max-time", "100"] + arguments)
  let exit = await child.wait()
  return (exit, child.output, child.errorText)
}
