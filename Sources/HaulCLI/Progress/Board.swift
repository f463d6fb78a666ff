/// Puts what is shown into lines, as wide as there is room.
struct Board: Sendable {
  let text: DisplayText
  let bar: ProgressBar

  init(_ terminal: Terminal) {
    text = DisplayText(isUTF8: terminal.isUTF8)
    bar = ProgressBar(hasLines: terminal.hasLines)
  }

  /// How many running files have a row on a terminal of so many rows.
  static func visibleRows(files: Int, hasWhole: Bool, rows: Int) -> Int {
    // One row is for the cursor, one for the newest line that stays.
    let room = max(1, rows - 2) - (hasWhole ? 1 : 0)
    return files <= room ? files : max(0, room - 1)
  }

  /// The lines for so many columns; none is wider.
  func lines(_ view: BoardView, columns: Int) -> [StyledLine] {
    // The counts of all files may take a third, so that bars stand below each other.
    let counted = view.whole.flatMap { counts($0).first?.width } ?? 0
    let layout = RowLayout(
      columns: columns, longestName: max(view.longestName, min(counted, columns / 3)),
      hasConnections: view.rows.contains { $0.connections > 1 })
    var lines = view.rows.map { line($0, layout) }
    if view.hidden > 0 {
      lines.append(StyledLine("\(text.ellipsis) and \(view.hidden) more", .faint))
    }
    if let whole = view.whole { lines.append(line(whole, layout)) }
    return lines.map { $0.cut(to: columns).trimmed }
  }

  private func line(_ row: FileRow, _ layout: RowLayout) -> StyledLine {
    var line = StyledLine(text.shortened(row.name, to: layout.name))
    line.pad(to: layout.name)
    if layout.bar > 0 {
      line.pad(to: line.width + layout.gap)
      if let share = row.share ?? (row.received == 0 ? 0 : nil) {
        bar.draw(share, width: layout.bar, on: &line)
      } else {
        bar.drawMark(at: row.step, width: layout.bar, on: &line)
      }
    }
    if layout.rate == 0, let note = row.note {
      line.pad(to: line.width + layout.gap)
      line.add(note.form(within: max(0, layout.columns - line.width)), note.style)
      return line
    }
    add(percent(row, layout), layout.percent, layout.gap, to: &line)
    add(sizes(row), layout.sizes, layout.gap, to: &line)
    if let note = row.note {
      line.pad(to: layout.noteStart)
      line.add(note.form(within: layout.columns - layout.noteStart), note.style)
      return line
    }
    add(row.rate.map(Format.rate) ?? "", layout.rate, layout.gap, to: &line)
    add(left(row.secondsLeft, layout), layout.left, layout.gap, .faint, to: &line)
    if row.connections > 1 {
      add("\(row.connections) conn", layout.connections, layout.gap, .faint, to: &line)
    }
    return line
  }

  private func percent(_ row: FileRow, _ layout: RowLayout) -> String {
    if let share = row.share { return Format.percentage(share) }
    // Without a length the bytes say how far it is; they may have no field of their own.
    return layout.sizes > 0 || row.received == 0 ? "" : Format.shortSize(row.received)
  }

  private func sizes(_ row: FileRow) -> String {
    if let total = row.total { return Format.sizes(row.received, of: total) }
    return row.received == 0 ? "" : Format.size(row.received)
  }

  private func left(_ seconds: Double?, isEstimate: Bool = false, _ layout: RowLayout) -> String {
    guard let seconds else { return "" }
    return (isEstimate ? "~" : "") + Format.duration(seconds) + (layout.saysLeft ? " left" : "")
  }

  /// Adds a field, its text at the right side; a field without width is left out.
  private func add(
    _ text: String, _ width: Int, _ gap: Int, _ style: StyledLine.Style = .plain,
    to line: inout StyledLine
  ) {
    guard width > 0 else { return }
    line.pad(to: line.width + gap + width - DisplayWidth.of(text))
    line.add(text, style)
  }
}

extension Board {
  /// The line for all files has the columns of the others; what it counts takes the place of the
  /// name and, where that is too little, of the bar.
  private func line(_ whole: WholeRow, _ layout: RowLayout) -> StyledLine {
    if whole.isStopping { return stopping(layout) }
    let end = layout.name + (layout.bar > 0 ? layout.gap + layout.bar : 0)
    let forms = counts(whole)
    var line = forms.first { $0.width <= end } ?? forms[forms.count - 1]
    let start = max(line.width, layout.name) + layout.gap
    if let share = whole.share, end - start >= RowLayout.shortestBar {
      line.pad(to: start)
      bar.draw(share, width: end - start, on: &line)
    }
    line.pad(to: end)
    let percent = whole.share.map(Format.percentage) ?? ""
    add(percent, layout.percent, layout.gap, to: &line)
    let sizes = whole.bytes.map { Format.sizes($0.received, of: $0.total) }
    add(sizes ?? Format.size(whole.fetched), layout.sizes, layout.gap, to: &line)
    add(whole.rate.map(Format.rate) ?? "", layout.rate, layout.gap, to: &line)
    let left = left(whole.secondsLeft, isEstimate: whole.isEstimate, layout)
    add(left, layout.left, layout.gap, .faint, to: &line)
    return line
  }

  private func stopping(_ layout: RowLayout) -> StyledLine {
    let forms = ["stopping; what was received is kept (Ctrl-C again: at once)", "stopping"]
    return StyledLine(forms.first { $0.count <= layout.columns } ?? "", .waiting)
  }

  /// How many files there are of each kind, in several lengths, the longest first.
  private func counts(_ whole: WholeRow) -> [StyledLine] {
    let known = whole.done + whole.running + whole.waiting + whole.failed
    let done = whole.isOpen ? "\(whole.done) done" : "\(whole.done) of \(known) done"
    let running = "\(whole.running) running"
    let waiting: String? =
      switch (whole.isOpen, whole.waiting) {
      case (true, 0): "more to come"
      case (true, let count): "\(count) or more waiting"
      case (false, 0): nil
      case (false, let count): "\(count) waiting"
      }
    let failed = whole.failed > 0 ? "\(whole.failed) failed" : nil
    let short = whole.isOpen ? "\(whole.done) done" : "\(whole.done)/\(known)"
    let lists: [[String?]] = [
      [done, running, waiting, failed], [done, running, failed], [short, running, failed],
      [short, failed], [short],
    ]
    return lists.map { parts in
      var line = StyledLine()
      for part in parts.compactMap(\.self) {
        if !line.isEmpty { line.add(", ") }
        line.add(part, part == failed ? .bad : .plain)
      }
      return line
    }
  }
}
