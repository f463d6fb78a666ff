import Glibc

/// What `--interface` takes: a network interface of this machine, or an IP address.
enum NetworkInterface {
  static func check(_ value: String, of option: String) throws(UsageError) -> String {
    if isAddress(value) { return value }
    // The text is passed as a string that ends with NUL.
    if !value.isEmpty, unsafe if_nametoindex(value) != 0 { return value }
    throw UsageError(
      "\(option) takes an IP address of this machine or one of its network interfaces "
        + "(\(names.joined(separator: ", "))), not “\(value)”")
  }

  private static func isAddress(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    // At most 16 bytes are written.
    return [AF_INET, AF_INET6].contains { unsafe inet_pton($0, text, &bytes) == 1 }
  }

  /// The names of the interfaces that are there.
  private static var names: [String] {
    // The list ends with an entry of index 0, belongs to us, and is freed once.
    guard let list = unsafe if_nameindex() else { return [] }
    defer { unsafe if_freenameindex(list) }
    var names: [String] = []
    var entry = unsafe list
    while unsafe entry.pointee.if_index != 0, let name = unsafe entry.pointee.if_name {
      names.append(unsafe String(cString: name))
      unsafe entry += 1
    }
    return names
  }
}
