/// Where bytes go that nobody can take back: a pipe, a terminal, a file that somebody else opened.
///
/// Bytes go out in the order of the calls, and after a write that failed none go out any more: what
/// went out is always the beginning of what was to go out. `write`, `check` and `finish` are called
/// by one thread at a time, and may block.
public protocol ByteSink: AnyObject, Sendable {
  /// What it is called in messages.
  var name: String { get }
  /// How many bytes went out.
  var byteCount: Int64 { get }
  /// Gives out all bytes, as slowly as they are taken.
  ///
  /// - Throws: `EPIPE` when nobody reads any more, `ECANCELED` after `cancel`, and whatever else the
  ///   system says. Some of the bytes may have gone out; `byteCount` tells.
  func write(_ bytes: UnsafeRawBufferPointer) throws(DiskError)
  /// Looks whether somebody still reads, without waiting.
  ///
  /// - Throws: as `write`. That it is silent proves nothing.
  func check() throws(DiskError)
  /// Asks for failures that the system has not told yet. Nothing is made durable by that, and whether
  /// somebody still reads does not matter any more.
  func finish() throws(DiskError)
  /// Makes a `write` that waits, and every later `write` and `check`, fail with `ECANCELED`. From any
  /// thread, at any time.
  func cancel()
}
