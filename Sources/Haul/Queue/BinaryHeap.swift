/// A heap whose first element is the smallest one.
struct BinaryHeap<Element: Comparable & Sendable>: Sendable {
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }
  var count: Int { elements.count }

  /// Takes any elements, in linear time.
  init(_ elements: [Element] = []) {
    self.elements = elements
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard elements[index] < elements[parent] else { return }
      elements.swapAt(index, parent)
      index = parent
    }
  }

  @discardableResult
  mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    sink(0)
    return first
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
        if elements[child] < elements[smallest] { smallest = child }
      }
      guard smallest != index else { return }
      elements.swapAt(index, smallest)
      index = smallest
    }
  }
}
