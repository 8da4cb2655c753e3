// A first-in, first-out queue.

/// A first-in, first-out queue.
///
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

  /// Sorts the elements; equal ones keep their order.
  @inlinable package mutating func sort(by isBefore: (Element, Element) -> Bool) {
    elements[head...].sort(by: isBefore)
  }

  /// Replaces the last element; does nothing if the queue is empty.
  @inlinable package mutating func replaceLast(with element: Element) {
    if !elements.isEmpty { elements[elements.count - 1] = element }
  }

  /// Removes and returns the first element; nil if the queue is empty.
  @inlinable package mutating func popFirst() -> Element? {
    let element = first
    if element != nil { removeFirst(1) }
    return element
  }

  /// Removes the first `number` elements, or all if there are fewer.
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
