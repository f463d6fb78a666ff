import HaulHTTP
import HaulTransfer

extension GetOptionTable {
  static let access: [Option] = [
    Option(
      "user", .text("USER:PASSWORD"), "credentials for the URL's own origin only",
      details: """
        They rule over those in the URL, and are sent as Basic authentication. Everything behind the \
        first colon is the password. Others on the machine may read them in the list of processes; \
        in a config file that only you can read, or in HAUL_USER, they cannot.
        """, [.basic, .secret]
    ) { (options, value, name) throws(UsageError) in
      options.credentials = try Values.credentials(value, of: name)
    }.also("-u"),
    .flag(
      "netrc", "user and password from $NETRC, else ~/.netrc, by host",
      details: """
        What --user, the URL or -H say rules over it. The URL's own origin gets what its host has, or \
        the “default” entry. After a redirect to another origin only an entry of that host counts, \
        and only over https.
        """
    ) { options, isOn in
      if !isOn { options.netrcChoice = .none }
      if isOn, options.netrcChoice == .none { options.netrcChoice = .own }
    },
    Option(
      "netrc-file", .file("FILE"), "user and password from this file, by host",
      details: "As --netrc, in place of the user's own file."
    ) { (options, value, name) throws(UsageError) in
      let path = try Values.text(value, of: name, form: "--netrc-file FILE")
      options.netrcChoice = .named(path)
    }.also("--netrc-path"),
    Option(
      "cookie", short: "b", .file("FILE"), "cookies from a file, or 'NAME=VALUE' itself",
      details: """
        A file in Netscape's format, as curl, wget and browsers write it; its cookies go where their \
        domains, paths and secure flags say, and the file is never written. What has an = is a cookie \
        itself, and goes to the URL's own origin only.
        """, .secret
    ) { (options, value, name) throws(UsageError) in
      if value.contains("=") {
        let field = HeaderField(name: "Cookie", value: try Values.fieldValue(value, of: name))
        return options.fields.append(RequestField(field, isSecret: true))
      }
      options.connection.cookieFile = try Values.cookieFile(value, of: name)
    }.also("--load-cookies"),
    Option(
      "cert", .file("FILE"), "certificate to show (PEM), or FILE:PASSWORD",
      details: """
        For servers that ask who comes. The password is that of the private key. A colon in the name \
        of the file is written \\:.
        """, .secret
    ) { (options, value, name) throws(UsageError) in
      options.certificate = try CertificateFiles.certificate(value, of: name)
    }.also("-E", "--certificate"),
    Option(
      "key", .file("FILE"), "private key of --cert, when in a file of its own",
      details: "In PEM as well."
    ) { (options, value, name) throws(UsageError) in
      options.keyPath = try Values.text(value, of: name, form: "--key FILE")
    }.also("--private-key"),
  ]
}
