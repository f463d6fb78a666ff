import HaulTransfer

/// A file that may begin; an object, since a request is long, and waits in a row with others.
final class Ready: Sendable {
  let request: TransferRequest
  /// The number of the file in its run.
  let number: Int
  /// The checksum file that its digest is from, if it is.
  let digestSource: String?
  /// Where it goes, when its owner says so.
  fileprivate let target: ExplicitTarget?

  init(_ request: TransferRequest, number: Int, digestSource: String? = nil) {
    self.request = request
    self.number = number
    self.digestSource = digestSource
    target = ExplicitTarget(request.destination)
  }
}

/// A path that a list, a document or the command line names, as paths are compared: some file systems
/// make no difference between upper and lower case, or between forms in which Unicode spells a letter.
struct ExplicitTarget: Hashable, Sendable {
  private let folder: String
  private let name: String

  /// Nil for a file that its address or its server names.
  init?(_ destination: Destination) {
    guard let name = destination.name else { return nil }
    folder = destination.folder
    // Equality of strings does not see the forms of Unicode.
    self.name = name.uppercased().lowercased()
  }
}

/// The files that were read ahead and wait to begin, in their order.
///
/// Files that are to have one name do not run at once: the order decides which of them gets it, and not
/// which of them is the faster. Nothing is remembered but those that wait and those that run.
struct StartQueue: Sendable {
  private var waiting: [Ready] = []
  private var targets: [Int: ExplicitTarget] = [:]
  private var taken: Set<ExplicitTarget> = []

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ ready: Ready) { waiting.append(ready) }

  /// Whether one of them may begin.
  var hasNext: Bool { nextIndex != nil }

  /// Takes out the first one that may begin; from then on it runs, until `end`.
  mutating func next() -> Ready? {
    guard let ready = nextIndex.map({ waiting.remove(at: $0) }) else { return nil }
    if let target = ready.target {
      targets[ready.number] = target
      taken.insert(target)
    }
    return ready
  }

  /// A file is over, and its name is taken or free.
  mutating func end(_ number: Int) {
    if let target = targets.removeValue(forKey: number) { taken.remove(target) }
  }

  private var nextIndex: Int? {
    waiting.firstIndex { ready in ready.target.map { !taken.contains($0) } ?? true }
  }
}

extension Destination {
  /// The path that its owner, a list or a document asks for; nil where the server names the file.
  var namedPath: String? {
    name.map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
  }
}
