import FoundationEssentials
import HaulHTTP
import HaulSystem

/// The form of the file of secrets: a line with its name, version and digest, then JSON.
enum SecretForm {
  /// What a file turned out to be.
  enum Content {
    case secrets([DownloadID: ItemSecrets])
    case newer(Int)
    case damaged
  }

  static let version = 1
  private static let title = "haul-secrets"

  static func encode(_ secrets: [DownloadID: ItemSecrets], _ crypto: any Crypto) -> [UInt8] {
    var stored: [String: StoredSecrets] = [:]
    for (id, secrets) in secrets { stored[id.description] = StoredSecrets(secrets) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Dictionaries, arrays and strings always have a form in JSON.
    let body = (try? encoder.encode(stored)).map { [UInt8]($0) } ?? []
    return Array("\(title) \(version) \(digest(of: body[...], crypto))\n".utf8) + body
  }

  static func decode(_ bytes: [UInt8], _ crypto: any Crypto) -> Content {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return .damaged }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count >= 2, words[0] == title, let number = Int(words[1]) else { return .damaged }
    guard number <= version else { return .newer(number) }
    let body = bytes[(end + 1)...]
    guard number == version, words.count == 3,
      words[2] == digest(of: body, crypto).description,
      let stored = try? JSONDecoder().decode([String: StoredSecrets].self, from: Data(body))
    else { return .damaged }
    var secrets: [DownloadID: ItemSecrets] = [:]
    for (text, item) in stored {
      guard let id = DownloadID(text: text) else { return .damaged }
      secrets[id] = item.secrets
    }
    return .secrets(secrets)
  }

  private static func digest(of bytes: ArraySlice<UInt8>, _ crypto: any Crypto) -> Digest {
    let hasher = crypto.makeHasher(.sha256)
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }
}

/// The secrets of one download in JSON.
private struct StoredSecrets: Codable {
  struct Pair: Codable {
    var user: String
    var password: String

    init(_ credentials: SecretCredentials) {
      user = credentials.user.value
      password = credentials.password.value
    }

    var credentials: SecretCredentials { SecretCredentials(user: user, password: password) }
  }

  struct Field: Codable {
    var name: String
    var value: String
  }

  var credentials: Pair?
  var proxy: Pair?
  var fields: [Field]?

  init(_ secrets: ItemSecrets) {
    credentials = secrets.credentials.map(Pair.init)
    proxy = secrets.proxy.map(Pair.init)
    if !secrets.fields.isEmpty {
      fields = secrets.fields.map { Field(name: $0.name, value: $0.value.value) }
    }
  }

  var secrets: ItemSecrets {
    var secrets = ItemSecrets()
    secrets.credentials = credentials?.credentials
    secrets.proxy = proxy?.credentials
    secrets.fields = (fields ?? []).map { SecretField(name: $0.name, value: $0.value) }
    return secrets
  }
}
