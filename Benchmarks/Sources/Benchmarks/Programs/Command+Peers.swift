extension Contestant {
  func curl(_ fetch: Fetch) -> [String] {
    // `-q` has to come first: no configuration file.
    var words = ["-q", "-sS", "--fail"]
    if let authority = fetch.authority { words += ["--cacert", authority] }
    if let list = fetch.list {
      return words + ["--parallel", "--parallel-max", "\(fetch.parallel)", "-K", list]
    }
    return words + ["-o", fetch.target, fetch.url]
  }

  func curlAndDigest(_ fetch: Fetch, path: String) -> Command? {
    guard fetch.list == nil, let digest = fetch.digest else { return nil }
    let script = """
      target=$1; digest=$2; shift 2
      "$@" && [ "$(openssl dgst -sha256 -r "$target")" = "$digest *$target" ]
      """
    return Command(["/bin/sh", "-c", script, "sh", fetch.target, digest, path] + curl(fetch))
  }

  func aria2c(_ fetch: Fetch, connections: Int?, isChecked: Bool) -> [String] {
    // Saving its state now and then makes it wait for the disk at every file.
    var words = ["-q", "--no-conf", "--auto-save-interval=0", "-k", "1M", "-d", fetch.folder]
    if let authority = fetch.authority { words.append("--ca-certificate=\(authority)") }
    if isChecked, let digest = fetch.digest { words.append("--checksum=sha-256=\(digest)") }
    if let list = fetch.list {
      // Nothing is to be reserved for files that one buffer holds.
      return words + ["--file-allocation=none", "-j", "\(fetch.parallel)", "-i", list]
    }
    words.append("--file-allocation=falloc")
    if let connections { words += ["-x", "\(connections)", "-s", "\(connections)"] }
    return words + ["-o", fetch.files.first?.name ?? "", fetch.url]
  }

  func wget2(_ fetch: Fetch) -> [String] {
    var words = ["-q", "--no-config", "--no-hsts", "--no-ocsp"]
    if let authority = fetch.authority { words.append("--ca-certificate=\(authority)") }
    if let list = fetch.list {
      return words + ["--max-threads=\(fetch.parallel)", "-P", fetch.folder, "-i", list]
    }
    return words + ["-O", fetch.target, fetch.url]
  }

  func axel(_ fetch: Fetch, connections: Int) -> [String] {
    var words = ["-q", "-n", "\(connections)"]
    // It knows no option for an authority and refuses the name `localhost`.
    if fetch.authority != nil { words.append("-k") }
    return words + ["-o", fetch.target, fetch.url]
  }
}
