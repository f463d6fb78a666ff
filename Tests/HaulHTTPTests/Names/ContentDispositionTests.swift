import HaulHTTP
import Testing

@Suite struct ContentDispositionTests {
  @Test(
    arguments: [
      ("attachment; filename=\"plain.txt\"", "plain.txt"),
      ("attachment; filename=plain.txt", "plain.txt"),
      ("ATTACHMENT;FILENAME=plain.txt", "plain.txt"),
      ("attachment ; filename = \"plain.txt\" ;", "plain.txt"),
      ("filename=plain.txt", "plain.txt"),
      ("inline; filename=my file.txt", "my file.txt"),
      ("attachment; filename=my file.txt; size=5", "my file.txt"),
      ("attachment; filename=plain.txt;", "plain.txt"),
      ("attachment; filename=\"a; b.txt\"", "a; b.txt"),
      ("attachment; filename=\"say \\\"hi\\\".txt\"", "say \"hi\".txt"),
      ("attachment; filename=\"a\\\\b.txt\"", "a\\b.txt"),
      ("attachment; filename=\"C:\\docs\\file.txt\"", "C:\\docs\\file.txt"),
      ("attachment; filename=\"open.txt", "open.txt"),
      ("attachment; filename=\"a.txt\" junk; x=y", "a.txt"),
      ("attachment; x=\"filename=no\"; filename=yes.txt", "yes.txt"),
      ("attachment; filename=a.txt; filename=b.txt", "a.txt"),
      ("attachment; filename=\"\"; filename=b.txt", "b.txt"),
      ("attachment; filename=\"na%20me%C3%A9.txt\"", "na me\u{E9}.txt"),
      ("attachment; filename=\"100% sure.txt\"", "100% sure.txt"),
      ("attachment; filename=\"%E9.txt\"", "%E9.txt"),
      ("attachment; filename=\"..%2F..%2Fx\"", "../../x"),
      ("attachment; filename=\"naïve 日本.txt\"", "naïve 日本.txt"),
      ("attachment; filename=naïve.txt", "naïve.txt"),
      ("attachment; filename=\"naÃ¯ve.txt\"", "naÃ¯ve.txt"),
    ])
  func readsPlainNames(value: String, expected: String) {
    #expect(ContentDisposition.fileName(value) == expected)
  }

  @Test(
    arguments: [
      ("attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
      ("attachment; filename*=UTF-8''%e2%82%ac.txt; filename=\"a.txt\"", "€.txt"),
      ("attachment; filename*=utf-8'en'na%20me.txt", "na me.txt"),
      ("attachment; filename*=\"UTF-8''na%20me.txt\"", "na me.txt"),
      ("attachment; filename*=UTF-8''it's.txt", "it's.txt"),
      ("attachment; filename*=ISO-8859-1''%A3%20rates.txt", "£ rates.txt"),
      ("attachment; filename*=UTF-8''%E9.txt; filename=a.txt", "a.txt"),
      ("attachment; filename*=UTF-8''%zz.txt; filename=a.txt", "a.txt"),
      ("attachment; filename*=KOI8-R''%C1.txt; filename=a.txt", "a.txt"),
      ("attachment; filename*=a.txt; filename=b.txt", "b.txt"),
      ("attachment; filename*=UTF-8''; filename=b.txt", "b.txt"),
      ("attachment; filename*=KOI8-R''%C1; filename*=UTF-8''c.txt", "c.txt"),
    ])
  func prefersTheExtendedName(value: String, expected: String) {
    #expect(ContentDisposition.fileName(value) == expected)
  }

  @Test(
    arguments: [
      ("=?UTF-8?B?4oKsLnR4dA==?=", "€.txt"),
      ("=?utf-8?b?4oKsLnR4dA?=", "€.txt"),
      ("=?UTF-8?Q?=E2=82=AC_rates.txt?=", "€ rates.txt"),
      ("=?ISO-8859-1?Q?=A3.txt?=", "£.txt"),
      ("=?UTF-8*en?Q?a?=", "a"),
      ("=?UTF-8?Q?a?= =?UTF-8?Q?b.txt?=", "ab.txt"),
      ("=?UTF-8?Q?=E2=82?= \t =?UTF-8?Q?=AC?=", "€"),
      ("=?UTF-8?Q?a?= =?ISO-8859-1?Q?=A3?=", "a£"),
      ("x =?UTF-8?Q?a?= y =?UTF-8?Q?b?= z", "x a y b z"),
      ("=?UTF-8?Q?a?=.txt", "a.txt"),
      ("=?KOI8-R?Q?=C1?=", "=?KOI8-R?Q?=C1?="),
      ("=?UTF-8?Q?=E9?=", "=?UTF-8?Q?=E9?="),
      ("=?UTF-8?X?a?=", "=?UTF-8?X?a?="),
      ("=?UTF-8?B?*?=", "=?UTF-8?B?*?="),
      ("=?UTF-8?Q?a", "=?UTF-8?Q?a"),
      ("what?.txt", "what?.txt"),
    ])
  func readsEncodedWords(name: String, expected: String) {
    #expect(ContentDisposition.fileName("attachment; filename=\"\(name)\"") == expected)
  }

  @Test(arguments: [
    "", "attachment", "inline;", "attachment; size=5", "attachment; filename", ";;;", "=",
    "attachment; filename=", "attachment; filename=\"\"", "attachment; xfilename=a",
    "form-data; name=\"a.txt\"",
  ])
  func findsNoNameWhereThereIsNone(value: String) {
    #expect(ContentDisposition.fileName(value) == nil)
  }

  @Test(arguments: SplitMix64.seeds)
  func givesSafeNamesForHostileFields(seed: UInt64) {
    let examples = [
      "attachment; filename=\"a \\\"b\\\".txt\"; filename*=UTF-8''%e2%82%ac.txt",
      "attachment; filename==?UTF-8?B?4oKsLnR4dA==?= =?UTF-8?Q?=E2=82=AC?=",
      "inline; filename=..%2F..%2Fetc%2Fpasswd",
    ]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      guard let raw = ContentDisposition.fileName(text) else { continue }
      #expect(!raw.isEmpty)
      FileNameRules.check(FileName.safe(raw), madeFrom: raw)
    }
  }

  @Test func takesLinearTime() {
    let words = String(repeating: "=?UTF-8?Q?", count: 6_000)
    #expect(ContentDisposition.fileName("attachment; filename=\"\(words)\"") == words)
    let many = String(repeating: "=?UTF-8?Q?a?=", count: 5_000)
    #expect(ContentDisposition.fileName("filename=\"\(many)\"")?.utf8.count == 5_000)
  }
}
