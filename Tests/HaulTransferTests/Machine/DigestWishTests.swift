import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// `Want-Repr-Digest`, and digests that later answers bring (RFC 9530).
@Suite struct MachineDigestWishTests {
  private func wish(_ bench: MachineBench) -> [String] {
    HeaderFields(bench.message?.fields ?? []).all("Want-Repr-Digest")
  }

  @Test func everyRequestAsksForADigest() throws {
    var bench = try MachineBench()
    bench.begin()
    #expect(wish(bench) == ["sha-256=10, sha-512=5"])
    _ = bench.cut()
    #expect(HeaderFields(bench.message?.fields ?? []).first("Range") == "bytes=400-")
    #expect(wish(bench) == ["sha-256=10, sha-512=5"])
  }

  @Test func theOwnersWishReplacesIt() throws {
    let own = RequestField(HeaderField(name: "want-repr-digest", value: "md5=3"))
    var bench = try MachineBench { $0.fields = [own] }
    bench.begin()
    #expect(wish(bench) == ["md5=3"])
    // And a server that refuses it refuses it.
    var refused = try MachineBench { $0.fields = [own] }
    refused.feed(.started, .found(.success(.nothing)))
    let no = head(400, [("Want-Repr-Digest", "sha-256=1")])
    #expect(refused.feed(.head(refused.id, no)).last == "failed http-status")
  }

  /// RFC 9530 appendix C.3: 400, with the digests that the server has.
  @Test func aServerThatRefusesTheWishIsAskedWithoutIt() throws {
    var bench = try MachineBench()
    bench.feed(.started, .found(.success(.nothing)))
    let no = head(400, [("Want-Repr-Digest", "crc32c=1")])
    #expect(bench.feed(.head(bench.id, no)) == ["abandon", "request whole"])
    #expect(wish(bench) == [])
    #expect(bench.feed(.head(bench.id, no)).last == "failed http-status")
    // Any other 400 has other reasons.
    var other = try MachineBench()
    other.feed(.started, .found(.success(.nothing)))
    #expect(other.feed(.head(other.id, head(400))).last == "failed http-status")
  }

  /// The first answer carried no digest; one on the rest of the same version was not checked.
  @Test func aDigestOnAPartOfTheSameVersionIsChecked() throws {
    let content = OriginContent(size: 1000)
    let field = ("Repr-Digest", "sha-256=:\(content.base64SHA256):")
    for isRight in [true, false] {
      var bench = try MachineBench()
      _ = bench.resume()
      let words = bench.part(400..<1000, 1000, [MachineBench.tag, field])
      #expect(words.contains("begin digests"))
      bench.feed(.landed(bench.id, to: 1000), .ended(bench.id, .complete), .flushed)
      #expect(
        bench.feed(.verifiedStored(.success(IntervalSet()))) == ["verifying", "digests"])
      let digest = isRight ? content.digest() : content.changed.digest()
      let after = bench.feed(.digested(.success([digest])))
      #expect(after.first == (isRight ? "publish 1000" : "request whole"))
    }
  }

  @Test func aDigestOfAnotherVersionIsNot() throws {
    let content = OriginContent(size: 1000)
    let field = ("Repr-Digest", "sha-256=:\(content.base64SHA256):")
    // The owner's digest joins what tags tell apart; then this one may be of either.
    var bench = try MachineBench { $0.digest = content.digest(.md5) }
    _ = bench.resume()
    _ = bench.part(400..<1000, 1000, [("ETag", "\"b\""), field])
    #expect(bench.machine.version.digests == [])
  }
}
