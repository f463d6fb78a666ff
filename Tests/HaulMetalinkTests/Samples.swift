import HaulHTTP
import HaulMetalink

/// Documents as programs write them, and the parts to make others.
enum Samples {
  static let opening = "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">"
  static let url = "<url>http://a.test/f</url>"
  static let md5 = String(repeating: "0a", count: 16)
  static let sha1 = String(repeating: "1B", count: 20)
  static let sha256 = String(repeating: "2c", count: 32)
  static let sha512 = String(repeating: "3d", count: 64)

  /// A document of one file with this inside.
  static func file(_ content: String, name: String = "f.bin") -> String {
    "\(opening)<file name=\"\(name)\">\(content)</file></metalink>"
  }

  /// As a redirector of a mirror network writes it: many elements that say nothing to a downloader.
  static let network = """
    <?xml version="1.0" encoding="UTF-8"?>
    <metalink xmlns="urn:ietf:params:xml:ns:metalink">
      <generator>MirrorMaker/3.1</generator>
      <origin dynamic="true">http://download.test/pub/disc.iso.meta4</origin>
      <published>2026-02-03T04:05:06Z</published>
      <publisher name="A project" url="http://project.test/"/>
      <file name="disc.iso">
        <size>655361</size>
        <!-- <hash type="md5">not this one</hash> -->
        <hash type="md5">\(md5)</hash>
        <hash type="sha-1">\(sha1)</hash>
        <hash type="sha-256">
          \(sha256)
        </hash>
        <hash type="tiger">00</hash>
        <pieces length="262144" type="sha-1">
          <hash>\(sha1)</hash>
          <hash>\(sha1)</hash>
          <hash>\(String(sha1.reversed()))</hash>
        </pieces>
        <signature mediatype="application/pgp-signature">-----BEGIN-----=
        ==== </signature>
        <url location="de" priority="2">http://de.test/disc.iso?a=1&amp;b=2</url>
        <url location="fr">ftp://fr.test/disc.iso</url>
        <url location="us" priority="1">
          https://us.test/disc.iso
        </url>
        <url>http://last.test/disc.iso</url>
        <url priority="2"><![CDATA[http://se.test/disc.iso]]></url>
        <url>http://de.test:80/disc.iso?a=1&amp;b=2#again</url>
        <metaurl mediatype="torrent" priority="1">http://download.test/disc.torrent</metaurl>
      </file>
    </metalink>
    """

  /// As a build writes it for its own files, with a prefix and an extension.
  static let build = """
    <m:metalink xmlns:m="urn:ietf:params:xml:ns:metalink" xmlns:x="http://build.test/x" \
    xml:lang="en"><x:info><m:file name="not a file"/></x:info>\
    <m:file name="lib/a.tar.gz" x:name="b" x:flag="yes"><x:size>1</x:size><m:size>7</m:size>\
    <m:url>http://build.test/lib/a.tar.gz</m:url></m:file>\
    <m:file name="b.txt"><m:identity>B</m:identity><m:url m:priority="9">https://build.test/b</m:url>\
    <m:hash type="SHA512">\(sha512.uppercased())</m:hash></m:file></m:metalink>
    """
}

/// The fault of a document; nil when it can be read.
func fault(_ text: String) -> MetalinkError? { fault(Array(text.utf8)) }

/// The fault of a document; nil when it can be read.
func fault(_ bytes: [UInt8]) -> MetalinkError? {
  do {
    _ = try Metalink(parsing: bytes)
    return nil
  } catch {
    return error
  }
}

extension Metalink {
  init(_ text: String) throws(MetalinkError) { try self.init(parsing: Array(text.utf8)) }
}
