import Glibc
import HaulHTTP
import HaulTransfer

/// What a dry run found out, in words.
enum PlanText {
  static func line(_ plan: PlannedTransfer, _ news: FileNews, _ options: GetOptions) -> String {
    let url = news.url ?? ""
    var notes = [continuation(plan, news)]
    if case .publish = plan.step { notes = [] }
    notes += checks(plan, news)
    let canMix = !options.isStrict && (!plan.digests.isEmpty || news.pieces != nil)
    if plan.step != .publish { notes += mirrors(news, atOnce: canMix) }
    if plan.path.split(separator: "/").last.map(String.init) != plan.wantedName {
      let part = Proof.partInTheWay(plan.path, plan.wantedName)
      notes.append(part ?? "\(plan.wantedName) is taken")
    }
    if options.existing == .overwrite, isThere(plan.path) {
      notes.append("what is there is replaced")
    }
    return (["\(step(plan, url)) (\(facts(plan)))"] + notes).joined(separator: "; ")
  }

  /// The same, of a file for standard output; with a digest it goes out once that is right.
  static func streamed(_ plan: PlannedTransfer, _ news: FileNews, isChecked: Bool) -> String {
    let line = "would fetch \(news.url ?? "") to standard output (\(facts(plan)))"
    let after = isChecked ? " before anything goes out" : ""
    let canGoOn = isChecked || plan.continuation != .never
    let note =
      canGoOn ? "goes on after a break" : "a break is the end: nothing tells its versions apart"
    let notes = checks(plan, news).map { $0 + after } + mirrors(news, atOnce: isChecked)
    return ([line, note] + notes).joined(separator: "; ")
  }

  private static func facts(_ plan: PlannedTransfer) -> String {
    var facts = [plan.total.map(Format.size) ?? "of unknown size"]
    if let type = plan.mediaType { facts.append(type) }
    if let url = plan.finalURL { facts.append("from \(url)") }
    return facts.joined(separator: ", ")
  }

  private static func checks(_ plan: PlannedTransfer, _ news: FileNews) -> [String] {
    var checked = plan.digests.map(\.algorithm.rawValue)
    if let pieces = news.pieces {
      let count = pieces.digests.count
      let all = count == 1 ? "its piece" : "its \(count) pieces"
      checked.append("\(all) (\(pieces.algorithm.rawValue))")
    }
    return checked.isEmpty ? [] : ["\(checked.joined(separator: ", ")) to be checked"]
  }

  /// Without a digest nothing proves that mirrors have the same bytes.
  private static func mirrors(_ news: FileNews, atOnce: Bool) -> [String] {
    guard news.mirrorCount > 0 else { return [] }
    let mirrors = news.mirrorCount == 1 ? "1 mirror" : "\(news.mirrorCount) mirrors"
    return ["\(mirrors) to be asked " + (atOnce ? "as well" : "if that fails")]
  }

  private static func step(_ plan: PlannedTransfer, _ url: String) -> String {
    switch plan.step {
    case .fetch: "would fetch \(url) to \(ShownPath.text(plan.path))"
    case .resume(let from):
      "would go on with \(ShownPath.text(plan.path)) from \(url) after \(Format.size(from))"
    case .restart(let reason):
      "would fetch \(url) to \(ShownPath.text(plan.path)) from the first byte, since \(reason.sentence)"
    case .publish:
      "would finish \(ShownPath.text(plan.path)) from \(url), of which every byte is there"
    }
  }

  private static func continuation(_ plan: PlannedTransfer, _ news: FileNews) -> String {
    if plan.acceptsRanges == false { return "cannot be resumed: the server sends no parts" }
    let condition =
      switch plan.continuation {
      case .validator: ""
      case .digest where plan.digests.isEmpty && news.pieces != nil:
        " under the digests of its pieces"
      case .digest: " under its digest"
      case .overlap: " where 64 KiB are equal"
      case .never: ""
      }
    if plan.continuation == .never {
      return "cannot be resumed: nothing tells its versions apart"
    }
    let isSure = plan.acceptsRanges == true
    return (isSure ? "can be resumed" : "can be resumed if the server sends parts") + condition
  }

  private static func isThere(_ path: String) -> Bool {
    // The text is passed as a string that ends with NUL.
    unsafe access(path, F_OK) == 0
  }
}
