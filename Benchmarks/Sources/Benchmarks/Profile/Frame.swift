/// A function, as a profiler names it.
struct Frame: Sendable, Hashable {
  /// The symbol, or what stands for one that is not known.
  var symbol: String
  /// The file that it comes from: a program, a library, or the kernel in square brackets.
  var object: String
}
