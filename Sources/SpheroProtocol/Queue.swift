// A first-in, first-out queue.

/// Elements in the order in which they were appended.
///
/// An element that was taken leaves the array later, together with others, so that taking one costs constant time on average.
package struct Queue<Element> {
  @usableFromInline var elements: [Element] = []
  /// The place of the first element; those before it were taken. The array is emptied with the queue.
  @usableFromInline var head = 0

  /// Makes an empty queue.
  package init() {}

  /// How many elements wait.
  @inlinable package var count: Int { elements.count - head }
  /// The element that is taken next.
  @inlinable package var first: Element? { head < elements.count ? elements[head] : nil }
  /// The element that was appended last.
  @inlinable package var last: Element? { elements.last }

  /// Appends an element.
  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  /// Inserts an element behind the last one that must stand before it.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - mustStandBefore: Whether an element must.
  @inlinable package mutating func insert(_ element: Element, behind mustStandBefore: (Element) -> Bool) {
    var place = elements.count
    while place > head, !mustStandBefore(elements[place - 1]) { place -= 1 }
    elements.insert(element, at: place)
  }

  /// Replaces the element that was appended last.
  @inlinable package mutating func replaceLast(with element: Element) {
    if !elements.isEmpty { elements[elements.count - 1] = element }
  }

  /// Takes the first element; nil where there is none.
  @inlinable package mutating func popFirst() -> Element? {
    let element = first
    if element != nil { removeFirst(1) }
    return element
  }

  /// Drops the first elements, at most as many as there are.
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
