// The names of SwiftUI that the example in Docs/Examples uses, written from its documentation: they show that the example
// fits together and fits this package, not that it fits SwiftUI.

import Observation

/// A part of a window.
@MainActor @preconcurrency public protocol View {
  /// What it consists of.
  associatedtype Body: View
  /// What it consists of.
  @ViewBuilder var body: Body { get }
}
extension Never: View {
  /// It has none.
  public var body: Never { return fatalError() }
}
/// A view that consists of no other.
public protocol Leaf: View where Body == Never {}
extension Leaf {
  /// It has none.
  public var body: Never { return fatalError() }
}
/// Any view.
public struct AnyLeaf: Leaf {}
/// Combines views.
@resultBuilder public enum ViewBuilder {
  /// Combines views.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyLeaf { AnyLeaf() }
}
/// A part of an app.
@MainActor @preconcurrency public protocol Scene {}
/// Windows with the same view.
public struct WindowGroup: Scene {
  /// Makes a scene.
  public init(_ title: String, @ViewBuilder content: () -> some View) {}
}
/// An app.
@MainActor @preconcurrency public protocol App {
  /// What it consists of.
  associatedtype Body: Scene
  /// What it consists of.
  var body: Body { get }
  /// Makes the app.
  init()
}
extension App {
  /// Runs the app.
  public static func main() {}
}
/// A property that the view owns.
@propertyWrapper public struct State<Value>: Sendable where Value: Sendable {
  /// The value.
  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
  /// The value for another view to change.
  public var projectedValue: Binding<Value> { Binding() }
  private let value: Value
  /// Makes a property.
  public init(wrappedValue: Value) { value = wrappedValue }
}
/// A property of another view.
public struct Binding<Value> {}
/// A number of a system's graphics.
public typealias CGFloat = Double
/// A point of a system's graphics.
public struct CGPoint: Sendable {
  /// Coordinates.
  public var x, y: CGFloat
  /// Makes a point.
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
}
/// A colour.
public struct Color: Sendable {
  /// The same, less opaque.
  public func opacity(_ opacity: Double) -> Color { self }
  /// A colour.
  public static var gray: Color { Color() }
  /// A colour.
  public static var blue: Color { Color() }
}
/// A circle.
public struct Circle: Leaf {
  /// Makes a circle.
  public nonisolated init() {}
  /// Fills it.
  public func fill(_ color: Color) -> some View { AnyLeaf() }
}
/// Views on each other.
public struct ZStack: Leaf {
  /// Makes a stack.
  public init(@ViewBuilder content: () -> some View) {}
}
/// Views below each other.
public struct VStack: Leaf {
  /// Makes a stack.
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
}
/// Views beside each other.
public struct HStack: Leaf {
  /// Makes a stack.
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
}
/// A text.
public struct Text: Leaf {
  /// Makes a text.
  public init(_ text: String) {}
}
/// A text to change.
public struct TextField: Leaf {
  /// Makes a field.
  public init(_ title: String, text: Binding<String>) {}
}
/// A button.
public struct Button: Leaf {
  /// Makes a button.
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}
/// A number to change.
public struct Slider: Leaf {
  /// Makes a slider.
  public init(
    value: Binding<Double>, in bounds: ClosedRange<Double> = 0...1, @ViewBuilder label: () -> some View
  ) {}
}
/// A finger or mouse that moves.
public struct DragGesture: Gesture {
  /// A moment of it.
  public struct Value {
    /// Where it is.
    public var location: CGPoint
  }
  /// Makes a gesture.
  public init(minimumDistance: CGFloat = 10) {}
}
/// What a hand does.
@MainActor @preconcurrency public protocol Gesture {
  /// A moment of it.
  associatedtype Value
}
extension Gesture {
  /// Adds an action.
  public func onChanged(_ action: @escaping (Value) -> Void) -> Self { self }
  /// Adds an action.
  public func onEnded(_ action: @escaping (Value) -> Void) -> Self { self }
}
extension View {
  /// Gives it a size.
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { AnyLeaf() }
  /// Moves it.
  public func position(_ position: CGPoint) -> some View { AnyLeaf() }
  /// Leaves room around it.
  public func padding() -> some View { AnyLeaf() }
  /// Adds a gesture.
  public func gesture(_ gesture: some Gesture) -> some View { AnyLeaf() }
  /// Adds an action.
  public func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some View { AnyLeaf() }
}
