import HaulHTTP
import HaulTransfer

extension GetOptionTable {
  static let request: [Option] = [
    Option(
      "header", short: "H", .text("LINE"), "header field: 'Name: value'",
      details: """
        Each one is sent, also after a redirect, and in place of a field of that name that Haul \
        would send by itself; 'Name:' leaves that out. Authorization and Cookie are treated as by --secret-header. Range, \
        If-Range, Host, Content-Length, Transfer-Encoding and Connection are set by Haul alone.
        """, [.basic, .secret]
    ) { (options, value, name) throws(UsageError) in
      options.fields.append(RequestField(try Values.field(value, of: name)))
    },
    Option(
      "secret-header", .text("LINE"), "header field for the URL's own origin only",
      details: """
        It is left out after a redirect to another scheme, host or port, and appears in no message \
        and no file. Others on the machine may read it in the list of processes; in a config file \
        that only you can read, or in HAUL_SECRET_HEADER, they cannot.
        """, .secret
    ) { (options, value, name) throws(UsageError) in
      options.fields.append(
        RequestField(try Values.field(value, of: name), isSecret: true))
    },
    Option(
      "user-agent", short: "A", .text("TEXT"), "how the program names itself",
      details: "Without this option as haul with its version."
    ) { (options, value, name) throws(UsageError) in
      options.userAgent = try Values.fieldValue(value, of: name)
    },
    Option(
      "referer", short: "e", .url("URL"), "page that the link was on",
      details: "Some servers give their files only to visitors of their pages."
    ) { (options, value, name) throws(UsageError) in
      options.referer = try Values.fieldValue(value, of: name)
    },
    Option(
      "max-redirs", .text("N"), "redirects to follow (20)",
      details: """
        0 follows none. One from https to http, or to another scheme, is never followed: the exit \
        status is 7 then.
        """
    ) { (options, value, name) throws(UsageError) in
      options.maximumRedirects = try Values.count(value, of: name, in: 0...1000)
    }.also("--max-redirect"),
    .flag(
      "location", short: "L", "accepted; redirects are always followed",
      details: "Error statuses are always failures, and a file always has the server's time."
    ) { _, _ in }.also(
      "-f", "--fail", "-S", "--show-error", "--content-disposition", "-R", "--remote-time",
      "--create-dirs", "--remote-name-all"),
  ]

  static let connection: [Option] = [
    Option(
      "proxy", .url("URL"), "http://HOST:PORT, socks5h://HOST:PORT; '' for none",
      details: """
        Also https, socks4, socks4a and socks5, with USER:PASSWORD@ before the host where the proxy \
        wants them. Without it the variables http_proxy, https_proxy, all_proxy and no_proxy count.
        """, [.basic, .secret]
    ) { (options, value, name) throws(UsageError) in
      options.proxy = try Values.proxy(value, of: name)
    },
    Option(
      "noproxy", .text("HOSTS"), "hosts to ask without a proxy: a.test,10.0.0.0/8",
      details: """
        Names, with all below them, addresses and networks, or * for all; in place of no_proxy.
        """
    ) { (options, value, name) throws(UsageError) in
      options.connection.noProxy = try NoProxy.check(value, of: name)
    },
    Option(
      "proxy-cacert", .file("FILE"), "certificates to trust when the proxy is https",
      details: "In PEM. Without this option the same ones are trusted as for servers."
    ) { (options, value, name) throws(UsageError) in
      options.connection.proxyCertificateAuthorities = try Values.readableFile(
        value, of: name)
    },
    Option(
      "cacert", .file("FILE"), "trust the certificates in this file",
      details: """
        In PEM, and in place of the system's. CURL_CA_BUNDLE and SSL_CERT_FILE do the same.
        """
    ) { (options, value, name) throws(UsageError) in
      options.certificateAuthorities = try Values.readableFile(value, of: name)
    }.also("--ca-certificate"),
    .flag(
      "insecure", "do not check certificates: anyone may change the file",
      details: "A warning says so each time, and --quiet does not silence it."
    ) { $0.isInsecure = $1 }.also("-k", "--no-check-certificate"),
    .flag("ipv4", short: "4", "use IPv4 addresses only") {
      if $1 { $0.connection.addressFamily = .ipv4 }
      if !$1, $0.connection.addressFamily == .ipv4 { $0.connection.addressFamily = nil }
    }.also("--inet4-only"),
    .flag("ipv6", short: "6", "use IPv6 addresses only") {
      if $1 { $0.connection.addressFamily = .ipv6 }
      if !$1, $0.connection.addressFamily == .ipv6 { $0.connection.addressFamily = nil }
    }.also("--inet6-only"),
    Option(
      "interface", .text("NAME"), "network interface, or address of it, to leave from",
      details: "The name of a device such as eth0, or an address that this machine has."
    ) { (options, value, name) throws(UsageError) in
      options.connection.interface = try NetworkInterface.check(value, of: name)
    }.also("--bind-address"),
    .flag(
      "http1.1", "do not offer HTTP/2",
      details: "For servers and proxies whose HTTP/2 is at fault."
    ) { $0.connection.isHTTP11Only = $1 },
    Option(
      "connections", short: "x", .text("N"), "connections for a file (up to 8, as they help)",
      details: """
        From 1 to 64. With N all of them are opened at once, as soon as the server is known to serve ranges. Without \
        it there are more of them only while a large file takes longer than a second, at most 8, and \
        fewer again where half of them do as well. A server that refuses one is given no more for a while. \
        --output - without a digest uses one, since bytes go out in their order.
        """
    ) { (options, value, name) throws(UsageError) in
      options.connections = try Values.count(
        value, of: name, in: 1...64,
        hint: name == "-x" && value.contains(":") ? "; for a proxy use --proxy" : "")
    }.also("--split", "--max-connection-per-server"),
    Option(
      "max-host-connections", .text("N"), "connections to one server, over all files (16)",
      details: """
        From 1 to 1000. Without this option also as many as --connections or --jobs ask for. A file that \
        finds no place waits for its turn. A server that refuses one connection while others are under \
        way gets no more than those for a while. Files that share an HTTP/2 connection are not counted.
        """
    ) { (options, value, name) throws(UsageError) in
      options.maximumHostConnections = try Values.count(
        value, of: name, in: 1...1000)
    },
  ]

  static let effort: [Option] = [
    Option(
      "limit-rate", .text("N"), "bytes a second in all: 500k, 2M",
      details: """
        All files together get no more than this. 0 takes back a limit that the settings hold.
        """, .basic
    ) { (options, value, name) throws(UsageError) in
      let limit = try Values.size(value, of: name)
      options.limitRate = limit == 0 ? nil : limit
    }.also("--max-overall-download-limit"),
    Option(
      "tries", .text("N"), "tries in a row that bring nothing new (8)",
      details: """
        A try that brings bytes which were never there before does not count, so a long file is \
        fetched over any number of breaks. What no further try can change, as a file that is not \
        there, fails at once. Without this option a server that was never there is given up sooner: after 2 tries when its name does not exist, after 3, some seconds, \
        when nobody listens at its port. One that answered before, in this run or in the one that \
        left a part behind, gets all tries, and so does a network that is down.
        """, .basic
    ) { (options, value, name) throws(UsageError) in
      let tries = try Values.count(value, of: name, in: 1...1_000_000)
      options.retries.tries = tries
      options.retries.triesForUnknownName = tries
      options.retries.triesForRefusedConnection = tries
    }.also("--retry", "--max-tries"),
    Option(
      "retry-max-delay", .text("S"), "longest pause between tries (60; 600 if asked)",
      details: """
        Pauses are drawn by lot from a time that doubles with each try, beginning at one second. A \
        server may ask for a longer one with Retry-After; that is what the second number is for. \
        With this option its value is the limit of both.
        """
    ) { (options, value, name) throws(UsageError) in
      options.retries.maximumDelay = try Values.seconds(value, of: name)
      options.retries.maximumRetryAfter = options.retries.maximumDelay
    },
    Option(
      "connect-timeout", .text("S"), "seconds to wait for a connection (20)",
      details:
        "Looking up the name and agreeing on encryption count as well. Then the next try begins."
    ) { (options, value, name) throws(UsageError) in
      options.connectTimeout = try Values.seconds(
        value, of: name, isZeroAllowed: false)
    },
    Option(
      "low-speed", .text("N"), "bytes/s over 20 s that count as stalled (100)",
      details: """
        A connection that brings fewer is given up, and the next try begins. Time in which a limit or \
        a slow disk keeps it waiting does not count. 0 waits forever.
        """
    ) { (options, value, name) throws(UsageError) in
      options.lowSpeed = try Values.size(value, of: name)
    },
  ]
}
