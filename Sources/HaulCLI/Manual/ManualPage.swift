/// The manual page of the program, in mdoc. It says what the help says, and more of it.
enum ManualPage {
  static func text(_ commands: [CommandDescription] = CommandDescription.all) -> String {
    var page = Mdoc()
    page.line(".\\\" Made by haul manual; to change it, change the program.")
    page.macro("Dd", Version.date)
    page.line(".Dt HAUL 1")
    page.macro("Os", "haul \(Version.number)")
    page.line(".Sh NAME")
    page.line(".Nm haul")
    page.macro("Nd", "fetch files, and never report a wrong one as right")
    synopsis(&page, commands)
    page.line(".Sh DESCRIPTION")
    paragraphs(&page, HelpTexts.description)
    list(&page, commands)
    for command in commands where !command.groups.isEmpty {
      let isOnly = commands.count { !$0.groups.isEmpty } == 1
      options(&page, command, isOnly ? "OPTIONS" : "\(command.name.uppercased()) OPTIONS")
    }
    for text in HelpTexts.all { section(&page, text) }
    end(&page)
    return page.source
  }

  private static func synopsis(_ page: inout Mdoc, _ commands: [CommandDescription]) {
    page.line(".Sh SYNOPSIS")
    for command in commands {
      page.line(".Nm")
      page.macro("Cm", command.name)
      for argument in command.arguments.split(separator: " ") { operand(&page, argument) }
    }
    page.line(".Nm")
    page.macro("Fl", "-help")
    page.line(".Nm")
    page.macro("Fl", "-version")
  }

  /// `[OPTION]...`, `URL...`, or words to choose from: `bash|zsh|fish`.
  private static func operand(_ page: inout Mdoc, _ text: Substring) {
    let isRepeated = text.hasSuffix("...")
    let core = isRepeated ? text.dropLast(3) : text
    let isOptional = core.hasPrefix("[")
    let words = (isOptional ? core.dropFirst().dropLast() : core).split(separator: "|")
    let kind = words.allSatisfy { $0.allSatisfy(\.isUppercase) } ? "Ar" : "Cm"
    let names = words.map { Mdoc.argument(String($0)) }.joined(separator: " | ")
    page.line("." + (isOptional ? "Op " : "") + "\(kind) \(names)" + (isRepeated ? " ..." : ""))
  }

  private static func list(_ page: inout Mdoc, _ commands: [CommandDescription]) {
    page.line(".Sh COMMANDS")
    page.tagged(width: "Ds") { page in
      for command in commands {
        page.macro("It Cm", command.name)
        page.prose(sentence(command.summary))
        paragraphs(&page, command.details)
      }
    }
  }

  private static func options(
    _ page: inout Mdoc, _ command: CommandDescription, _ title: String
  ) {
    page.macro("Sh", title)
    paragraphs(&page, HelpTexts.aboutOptions)
    for group in command.groups {
      page.macro("Ss", group.title)
      page.tagged(width: "Ds") { page in
        for option in group.options {
          page.line(names(option))
          page.prose(sentence(option.summary))
          page.prose(option.explanation)
        }
      }
    }
  }

  /// `-o, --output FILE`.
  private static func names(_ option: Option) -> String {
    let short = option.short.map { "\(Mdoc.argument(String($0))) , " } ?? ""
    let line = ".It Fl \(short)\(Mdoc.argument("-" + option.long))"
    guard let value = option.value else { return line }
    let name = Mdoc.argument(value.name)
    return line + (value.isOptional ? " Ns Op = Ns Ar \(name)" : " Ar \(name)")
  }

  private static func section(_ page: inout Mdoc, _ text: HelpText) {
    page.macro("Sh", text.title.uppercased())
    paragraphs(&page, text.paragraphs)
  }

  private static func paragraphs(_ page: inout Mdoc, _ paragraphs: [HelpText.Paragraph]) {
    var isFirst = page.source.split(separator: "\n").last?.hasPrefix(".S") ?? false
    for paragraph in paragraphs {
      switch paragraph {
      case .text(let text):
        if !isFirst { page.line(".Pp") }
        page.prose(text)
      case .table(let rows):
        page.tagged(width: rows.map(\.0).max { $0.count < $1.count } ?? "Ds", isCompact: true) {
          page in
          for (term, meaning) in rows {
            page.line(".It \(Mdoc.marks(term))")
            page.prose(meaning)
          }
        }
      case .code(let lines): page.literal(lines)
      }
      isFirst = false
    }
  }

  private static func end(_ page: inout Mdoc) {
    page.line(".Sh SEE ALSO")
    let pages = ["aria2c", "curl", "sha256sum", "wget"]
    for name in pages { page.line(".Xr \(name) 1" + (name == pages.last ? "" : " ,")) }
    page.line(".Sh STANDARDS")
    for (title, number) in HelpTexts.standards {
      page.line(".Rs")
      page.macro("%T", title)
      page.macro("%R", "RFC \(number)")
      page.line(".Re")
    }
  }

  /// A summary as a sentence. What is typed keeps its letters.
  private static func sentence(_ summary: String) -> String {
    var first = summary.prefix { $0 != " " }
    if let last = first.last, ",;:".contains(last) { first.removeLast() }
    let isWord = first.allSatisfy { $0.isLetter || $0 == "/" }
    return (isWord ? summary.prefix(1).uppercased() + summary.dropFirst() : summary) + "."
  }
}
