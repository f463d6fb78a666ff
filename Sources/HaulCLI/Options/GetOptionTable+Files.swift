import HaulTransfer

extension GetOptionTable {
  static let destination: [Option] = [
    Option(
      "output", short: "o", .file("FILE"), "name of the file; - for standard output",
      details: """
        For one URL only. A relative name counts from the folder of --directory; folders in it are \
        made. Without this option the server names the file, otherwise the end of the URL does. See \
        also “haul help standard-output”.
        """, [.basic, .commandLineOnly]
    ) { (options, value, name) throws(UsageError) in
      try once(options.output, name)
      let isStandardOutput = StandardOutput.paths.contains(value)
      options.output =
        isStandardOutput ? StandardOutput.name : try Values.fileName(value, of: name)
    }.also("--output-document", "--out"),
    Option(
      "directory", short: "d", .folder("DIR"), "folder; made when missing (here)",
      details: """
        The names that servers give, those in lists, and a relative one of --output count from it.
        """, .basic
    ) { (options, value, name) throws(UsageError) in
      options.folder = try Values.text(value, of: name, form: "-d FOLDER")
    }.also("-P", "--dir", "--output-dir", "--directory-prefix"),
    Option(
      "mirror", .url("URL"), "another address of the same file",
      details: """
        It may be given several times, the best one first, and needs exactly one file. With a digest \
        all addresses may be used at once; without one nothing proves that they have the same bytes, \
        and each is only asked when those before it fail.
        """, .commandLineOnly
    ) { (options, value, name) throws(UsageError) in
      options.mirrors.append(try Values.mirror(value, of: name))
    },
    .flag(
      "no-link-mirrors", "do not ask mirrors that a server names",
      details: """
        A server may name other addresses of a file (Link fields with rel=duplicate, RFC 6249). Where a \
        digest will be checked, up to 8 of them are asked as if --mirror named them; passwords, cookies \
        and secret headers do not go there. Without a digest, with --strict or with one connection \
        they are never asked.
        """
    ) { $0.followsLinks = !$1 },
    Option(
      "exists", .choices("WHAT", ["rename", "overwrite", "skip", "fail"]),
      "name taken: rename, overwrite, skip, fail (rename)",
      details: """
        “rename” leaves the file that is there and takes \
        “name (1).ext”; “overwrite” takes its place once the new file is whole and checked, but never that of a file of \
        the same run; “skip” \
        fetches nothing when the same file is there: by your digest, and then the server is not even \
        asked, else by the server's digest, else by equal size and time; another file stays, as with \
        “rename”. “fail” ends with exit status 6.
        """, .basic
    ) { (options, value, name) throws(UsageError) in
      guard let policy = ExistingFilePolicy(rawValue: value) else {
        throw UsageError("\(name) takes rename, overwrite, skip or fail, not “\(value)”")
      }
      options.existing = policy
    },
    .flag(
      "no-sync", "do not wait until the disk has it",
      details: """
        This is faster, above all for many small files. After a crash of the machine or a power cut \
        files may be damaged that were reported as finished; a part from before is not believed then.
        """
    ) { $0.isDurable = !$1 },
    .flag(
      "keep-bad", "keep a file with a wrong digest as NAME.haul-bad",
      details: """
        Without this option such a file is deleted. Either way it never gets its name, and the exit \
        status is 5.
        """
    ) { $0.keepsBadFile = $1 },
    .flag(
      "continue", short: "c", "accepted; what is there is always continued",
      details: "Running the same command again goes on from the bytes on disk."
    ) { _, _ in }.also("--resume"),
  ]

  static let lists: [Option] = [
    Option(
      "input", short: "i", .file("FILE"), "URLs from a file, or - for standard input",
      details: """
        One URL a line, and optionally a name and a digest after it, with TABs between: \
        “URL TAB NAME TAB sha-256=HEX”. Blank lines and lines that begin with # are skipped. A list \
        may be of any length and may still be growing: it is read as its files are fetched. A line \
        that repeats one of the 50,000 before it is fetched once. Of lines with the same NAME the \
        first one gets it; of files that their addresses or servers name, the one that comes first.
        """, [.basic, .commandLineOnly]
    ) { (options, value, name) throws(UsageError) in
      try once(options.inputFile, name)
      options.inputFile = try Values.text(value, of: name, form: "-i FILE")
    }.also("--input-file"),
    Option(
      "metalink", short: "M", .file("FILE"), "files that a Metalink document describes",
      details: """
        A document of version 4 (RFC 5854), mostly NAME.meta4; “-” is standard input. It tells the \
        names of files, where they are, and their lengths and digests, which are checked. Folders in \
        the names are left out. Addresses of other schemes than http and https are left out as well. \
        A document on a server is fetched first: haul get -o - URL | haul get -M -
        """, [.basic, .commandLineOnly]
    ) { (options, value, name) throws(UsageError) in
      try once(options.metalinkFile, name)
      options.metalinkFile = try Values.text(value, of: name, form: "--metalink FILE")
    }.also("--metalink-file", "--input-metalink"),
    Option(
      "jobs", short: "j", .text("N"), "files at once (3)",
      details: "From 1 to 1000. The next file begins when one ends.", .basic
    ) { (options, value, name) throws(UsageError) in
      options.parallel = try Values.count(value, of: name, in: 1...1000)
    }.also("--max-concurrent-downloads", "--parallel-max", "--max-threads"),
  ]

  static let integrity: [Option] = [
    Option(
      "digest", .text("ALG=HEX"), "sha-256, sha-512, sha-1 or md5 of the file",
      details: """
        HEX are its hexadecimal digits. The file is read once, while it arrives; bytes with another \
        digest never get its name, and the exit status is 5. With a digest a broken download also \
        goes on where the server gives nothing by which versions can be told apart. For lists the \
        digest stands in the third column.
        """,
      [.basic, .commandLineOnly]
    ) { (options, value, name) throws(UsageError) in
      try once(options.digest, name)
      options.digest = try Values.digest(value, of: name)
    }.also("--checksum"),
    Option(
      "digest-from", .file("URL"), "checksum file, such as SHA256SUMS; also a path",
      details: """
        Each file is looked up by the last part of its address, and where that is not listed, by \
        the name that -o or the list gives it; never by a name of the server's. A file that is not \
        listed is not fetched. A digest in a list rules over it. A signature is not checked. “-” is \
        standard input.
        """, [.basic, .commandLineOnly]
    ) { (options, value, name) throws(UsageError) in
      try once(options.digestSource, name)
      options.digestSource = try ChecksumLocation(value, of: name)
    },
    Option(
      "expect", .text("TYPE"), "media type it must have: video/mp4, image/*",
      details: """
        An answer of another type is refused before a byte of it is stored: this keeps login pages \
        and messages from taking the place of a file. The exit status is 5.
        """
    ) { (options, value, name) throws(UsageError) in
      options.expectedType = try Values.mediaType(value, of: name)
    },
    Option(
      "max-filesize", .text("N"), "refuse files of more bytes: 700M",
      details: """
        It is refused as soon as its length is known, or when more bytes than that arrive. The exit \
        status is 7.
        """
    ) { (options, value, name) throws(UsageError) in
      options.maximumByteCount = try Values.size(value, of: name)
    },
    .flag(
      "strict", "never combine answers without a strong validator",
      details: """
        Not even when a digest is checked in the end. Where the server gives no strong ETag and no \
        sound Last-Modified, a broken download starts again.
        """
    ) { $0.isStrict = $1 },
    .flag(
      "trust-overlap", "without a validator, resume where 64 KiB are equal",
      details: """
        Where a server gives nothing by which versions can be told apart, the 64 KiB before the \
        end of what is there are asked for again, and must be equal. It is no proof: a file that \
        changed before that place is not noticed.
        """
    ) { $0.trustsOverlap = $1 },
  ]
}
