import FoundationEssentials
import Glibc
import HaulTestKit

/// The program behind `Benchmarks/run` and `Benchmarks/profile`.
@main
enum Main {
  static func main() async {
    do {
      exit(try await run(Options(Array(CommandLine.arguments.dropFirst()))))
    } catch let error as Options.Usage {
      Terminal.message(error.message)
      exit(2)
    } catch {
      Terminal.message("\(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) async throws -> Int32 {
    if options.wantsHelp {
      Terminal.result(Options.help + "\n")
      return 0
    }
    let workloads = try options.select(Catalogue.workloads(options.scale))
    if options.lists {
      for workload in workloads { Terminal.result("\(workload.name)\t\(workload.title)\n") }
      return 0
    }
    let session = try await Session(options)
    return options.isProfile
      ? try await session.profile(workloads) : try await session.compare(workloads)
  }
}
