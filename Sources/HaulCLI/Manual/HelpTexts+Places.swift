extension HelpTexts {
  static let environment = HelpText(
    topic: "environment", title: "Environment",
    paragraphs: [
      .table([
        ("HAUL_NAME", "the option --name: HAUL_LIMIT_RATE=2M; an empty one counts as none"),
        ("HAUL_CONFIG", "the config file"),
        ("XDG_CONFIG_HOME, HOME", "where the user's own config file is looked for"),
        ("http_proxy, https_proxy, all_proxy", "proxies, where --proxy names none"),
        ("no_proxy", "hosts that are asked without a proxy, as --noproxy takes them"),
        ("CURL_CA_BUNDLE, SSL_CERT_FILE", "certificates to trust, where --cacert names none"),
        ("NETRC", "the file that --netrc reads in place of ~/.netrc"),
        ("TERM", "“dumb” or none: lines in place of bars"),
        ("NO_COLOR", "no colours, unless --color asks for them"),
        ("LC_ALL, LC_CTYPE, LANG", "whether bars and names are shown in UTF-8 or in ASCII"),
        ("TMPDIR", "where --output - keeps a file until its digest was found right"),
      ]),
      .text("Names of proxies may be in capitals as well, but for HTTP_PROXY."),
    ])

  static let files = HelpText(
    topic: "files", title: "Files",
    paragraphs: [
      .table([
        ("NAME.haul-part", "the bytes of a file that is not whole; its space is reserved at once"),
        ("NAME.haul-journal", "what of it is safe on disk; it holds no secrets"),
        ("NAME.haul-bad", "a file with a wrong digest, where --keep-bad keeps it"),
        ("~/.config/haul/config", "the user's own config file"),
      ])
    ])
}
