// A first-in, first-out queue.

/// Removed elements leave the array later, several at once, so that a removal costs constant time on average.
/// Inlinable members of a type with package access have an effect only if the type is usable from inlinable code.
@usableFromInline package struct Queue<Element> {
  @usableFromInline var elements: [Element] = []
  /// The index of the first element; the elements before it have been removed. The array is empty if the queue is.
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var count: Int { elements.count - head }
  @inlinable package var first: Element? { head < elements.count ? elements[head] : nil }
  @inlinable package var last: Element? { elements.last }

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable package mutating func sort(by isBefore: (Element, Element) -> Bool) {
    elements[head...].sort(by: isBefore)
  }

  @inlinable package mutating func replaceLast(with element: Element) {
    if !elements.isEmpty { elements[elements.count - 1] = element }
  }

  @inlinable package mutating func popFirst() -> Element? {
    let element = first
    if element != nil { removeFirst(1) }
    return element
  }

  @inlinable package mutating func removeFirst(_ number: Int) {
    head += min(number, count)
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 64, head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
  }
}

extension Queue: Sendable where Element: Sendable {}
