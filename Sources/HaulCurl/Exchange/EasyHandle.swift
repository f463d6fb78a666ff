internal import CCurl
internal import CHaulCurl

/// Owns one easy handle of libcurl, with the list of header lines and the error text it uses.
@safe final class EasyHandle {
  private(set) var raw: UnsafeMutableRawPointer?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  /// Nil when memory has run out.
  init?() {
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe raw = curl_easy_init()
    guard unsafe raw != nil else {
      unsafe errorText.deallocate()
      return nil
    }
    // libcurl writes at most CURL_ERROR_SIZE bytes; the memory outlives the handle.
    unsafe set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
  }

  deinit {
    close()
    // The handle is gone, so nothing refers to the text any more.
    unsafe errorText.deallocate()
  }

  /// What libcurl said of the error, or an empty text.
  var errorDescription: String { unsafe String(cString: errorText) }

  /// Frees the handle and what it used. It must not be part of a multi handle.
  func close() {
    guard unsafe raw != nil else { return }
    unsafe curl_easy_cleanup(raw)
    unsafe raw = nil
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
  }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe haul_curl_set_long(raw, option, value)
  }

  func set(_ option: CURLoption, _ value: String) {
    // libcurl copies strings.
    unsafe haul_curl_set_string(raw, option, value)
  }

  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    unsafe haul_curl_set_pointer(raw, option, value)
  }

  func set(_ option: CURLoption, _ value: @escaping haul_curl_data_callback) {
    unsafe haul_curl_set_data_callback(raw, option, value)
  }

  func set(_ option: CURLoption, _ value: @escaping haul_curl_socket_callback) {
    unsafe haul_curl_set_socket_callback(raw, option, value)
  }

  /// Sets the lines of the header section; called once.
  func setHeaderLines(_ values: [String]) {
    for value in values {
      // `curl_slist_append` copies the text and returns nil only without memory; the old list stays.
      if let longer = unsafe curl_slist_append(lines, value) { unsafe lines = longer }
    }
    unsafe set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(lines))
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    unsafe haul_curl_get_long(raw, info, &value)
    return value
  }

  func double(_ info: CURLINFO) -> Double {
    var value = 0.0
    unsafe haul_curl_get_double(raw, info, &value)
    return value
  }
}
