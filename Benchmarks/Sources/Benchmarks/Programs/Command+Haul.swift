extension Contestant {
  func haul(_ fetch: Fetch, isDurable: Bool, isChecked: Bool, connections: Int?)
    -> [String]
  {
    var words = ["get", "-q", "-d", fetch.folder]
    if let connections { words += ["-x", "\(connections)"] }
    if !isDurable { words.append("--no-sync") }
    if let authority = fetch.authority { words += ["--cacert", authority] }
    if isChecked, let digest = fetch.digest { words += ["--digest", "sha-256=\(digest)"] }
    if let list = fetch.list { return words + ["-j", "\(fetch.parallel)", "-i", list] }
    return words + ["-o", fetch.files.first?.name ?? "", fetch.url]
  }
}
