/// A queue. Unlike a slice of an array it lets go of what was taken.
struct Fifo<Element> {
  private var items: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }

  mutating func append(_ item: Element) {
    items.append(item)
  }

  mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let item = items[head].take()
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head > 64, head > items.count / 2 {
      items.removeFirst(head)
      head = 0
    }
    return item
  }
}

extension Fifo: Sendable where Element: Sendable {}
