internal import Synchronization

/// Which rows are bound to which observations: one each.
final class RowBindings: Sendable {
  private struct Binding {
    var number: UInt64
    weak var row: (any AnyObject & Sendable)?
    var observation: DownloadObservation?
  }

  private let bindings = Mutex<[ObjectIdentifier: Binding]>([:])

  /// Binds a row in place of what it was bound to.
  ///
  /// - Parameters:
  ///   - row: The row; it is not kept alive.
  ///   - number: The number of this binding, more than that of any before.
  ///   - observe: Begins the observation; it is given whether the row is still bound to it.
  func bind<Row: AnyObject & Sendable>(
    _ row: Row, _ number: UInt64,
    _ observe: (@escaping @Sendable () -> Bool) -> DownloadObservation
  ) {
    let key = ObjectIdentifier(row)
    let old = bindings.withLock { bindings in
      // Rows that are gone need nothing more.
      if bindings.count >= 64, bindings.count.isMultiple(of: 64) {
        bindings = bindings.filter { $0.value.row != nil }
      }
      return bindings.updateValue(Binding(number: number, row: row), forKey: key)
    }
    old?.observation?.cancel()
    let observation = observe { [weak self] in self?.isBound(key, number) ?? false }
    bindings.withLock { bindings in
      if bindings[key]?.number == number { bindings[key]?.observation = observation }
    }
  }

  func unbind(_ row: some AnyObject) {
    let old = bindings.withLock { $0.removeValue(forKey: ObjectIdentifier(row)) }
    old?.observation?.cancel()
  }

  private func isBound(_ key: ObjectIdentifier, _ number: UInt64) -> Bool {
    bindings.withLock { $0[key]?.number == number }
  }
}
