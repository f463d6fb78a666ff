/// The results as text.
struct Report: Sendable {
  let results: Results
  private let workloads: [(workload: Workload, outcome: Results.Outcome)]
  let rows: [Row]

  /// Puts the results next to the targets.
  init(_ results: Results) {
    self.results = results
    let catalogue = Catalogue.workloads(results.isQuick ? .quick : .full)
    workloads = results.outcomes.compactMap { outcome in
      catalogue.first { $0.name == outcome.workload }.map { ($0, outcome) }
    }
    rows = workloads.flatMap { workload, outcome in
      workload.comparisons.map { Row($0, of: outcome) }
    }
  }

  /// Whether Haul itself failed anywhere.
  var hasFailedHaul: Bool {
    results.outcomes.flatMap(\.entries).contains {
      $0.contestant.hasPrefix("haul") && $0.fault != nil
    }
  }

  /// Everything, in Markdown.
  var text: String {
    """
    \(header)
    ### Ratios

    Median to median, and in brackets the least and the greatest ratio within one round. Below 1 Haul needs less. A
    target that is missed by less than 15 % is a tie; without a target, two that differ by less than 15 % are one.

    \(ratios.text)
    ### Peak memory

    \(memory.text)
    ### What was measured

    Medians, and in brackets the least and the greatest.

    \(measured.text)
    """
  }

  private var header: String {
    let machine = results.machine
    let programs = results.versions.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    var text = ""
    if results.isQuick {
      text += """
        **This was a quick run with small files and few rounds: it shows that everything works, and its
        figures are not to be believed.**


        """
    }
    if results.rounds < 5, !results.isQuick {
      text += "**Fewer than five rounds: one disturbance can change a median.**\n\n"
    }
    let turns = Steadiness(results.calibration)
    if turns?.isBusy == true {
      text += "**The machine was busy: these figures are not to be believed.**\n\n"
    }
    text += """
      - \(results.date); \(results.rounds) rounds, random order with seed \(results.seed)
      - \(machine.processors) × \(machine.model), \(machine.memory) MiB, Linux \(machine.kernel), \
      disk: \(machine.fileSystem)
      - \(programs)
      - load before: \(Number.fixed(machine.load, 2))

      """
    if let turns {
      text += """
        - a computation of fixed length took \(Number.seconds(turns.turn)): usually \
        \(Number.percentage(turns.usual)), one time in ten \(Number.percentage(turns.often)), at most \
        \(Number.percentage(turns.worst)) more than at best

        """
    }
    return text
  }

  private var ratios: MarkdownTable {
    var table = MarkdownTable(["row", "Haul", "against", "wall", "CPU", "note"])
    for row in rows {
      table.add([
        row.workload, row.subject, row.against, row.wall?.text ?? "–", row.cpu?.text ?? "–",
        row.note ?? "",
      ])
    }
    return table
  }

  private var memory: MarkdownTable {
    let programs = Program.peers
    var table = MarkdownTable(["row", "Haul", "peak", "target"] + programs.map(\.rawValue))
    for (workload, outcome) in workloads {
      func peak(_ contestants: [Contestant]) -> Double? {
        let labels = contestants.map(\.label)
        let entries = outcome.entries.filter { labels.contains($0.contestant) && $0.isSound }
        return entries.flatMap(\.samples).map(\.memory).max().map(Double.init)
      }
      let peers = programs.map { program in
        peak(workload.contestants.filter { $0.program == program })
      }
      for target in workload.memoryTargets {
        let own = peak(target.contestants)
        let verdict = own.map { Verdict($0 / 1024, target: target.limit).rawValue }
        table.add(
          [
            workload.name, target.name, own.map(Number.mebibytes) ?? "–",
            "≤ \(Number.fixed(target.limit, 0)) MiB: \(verdict ?? "not measured")",
          ] + peers.map { $0.map(Number.mebibytes) ?? "–" })
      }
    }
    return table
  }

  private var measured: MarkdownTable {
    var table = MarkdownTable(["row", "program", "wall", "CPU", "peak memory", "protocol", "note"])
    for (workload, outcome) in workloads {
      for entry in outcome.entries {
        let contestant = workload.contestants.first { $0.label == entry.contestant }
        if let ideal = contestant.flatMap(workload.ideal) {
          table.add([
            outcome.workload, entry.contestant, Number.seconds(ideal.wall), "–", "–", "",
            "computed",
          ])
          continue
        }
        let isSound = entry.isSound
        table.add([
          outcome.workload, entry.contestant,
          isSound ? spread(entry.samples.map(\.wall)) : "–",
          isSound ? spread(entry.samples.map(\.cpu)) : "–",
          isSound ? Number.mebibytes(Double(entry.samples.map(\.memory).max() ?? 0)) : "–",
          entry.httpVersion ?? "", entry.fault ?? "",
        ])
      }
    }
    return table
  }

  private func spread(_ values: [Double]) -> String {
    Statistics(values).map(Number.seconds) ?? "–"
  }
}
