// Stub of the SwiftUI declarations that the example in Docs/Examples uses, written from SwiftUI's documentation.
// It verifies the example's types against this package, but not against SwiftUI itself.

import Observation

/// A part of a window.
@MainActor @preconcurrency public protocol View {
  /// Its content.
  associatedtype Body: View
  /// Its content.
  @ViewBuilder var body: Body { get }
}
extension Never: View {
  /// A view without a body.
  public var body: Never { return fatalError() }
}
/// A primitive view.
public protocol Leaf: View where Body == Never {}
extension Leaf {
  /// A view without a body.
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
  /// Creates a scene.
  public init(_ title: String, @ViewBuilder content: () -> some View) {}
}
/// An app.
@MainActor @preconcurrency public protocol App {
  /// Its content.
  associatedtype Body: Scene
  /// Its content.
  var body: Body { get }
  /// Creates the app.
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
  /// A binding to the value.
  public var projectedValue: Binding<Value> { Binding() }
  private let value: Value
  /// Creates a property.
  public init(wrappedValue: Value) { value = wrappedValue }
}
/// A binding to a property of another view.
public struct Binding<Value> {}
/// A floating-point number of Core Graphics.
public typealias CGFloat = Double
/// A point of Core Graphics.
public struct CGPoint: Sendable {
  /// Coordinates.
  public var x, y: CGFloat
  /// Creates a point.
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
}
/// A colour.
public struct Color: Sendable {
  /// The colour with another opacity.
  public func opacity(_ opacity: Double) -> Color { self }
  /// A colour.
  public static var gray: Color { Color() }
  /// A colour.
  public static var blue: Color { Color() }
}
/// A circle.
public struct Circle: Leaf {
  /// Creates a circle.
  public nonisolated init() {}
  /// The circle filled with a colour.
  public func fill(_ color: Color) -> some View { AnyLeaf() }
}
/// A stack of overlapping views.
public struct ZStack: Leaf {
  /// Creates a stack.
  public init(@ViewBuilder content: () -> some View) {}
}
/// A vertical stack of views.
public struct VStack: Leaf {
  /// Creates a stack.
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
}
/// A horizontal stack of views.
public struct HStack: Leaf {
  /// Creates a stack.
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> some View) {}
}
/// A text.
public struct Text: Leaf {
  /// Creates a text.
  public init(_ text: String) {}
}
/// An editable text field.
public struct TextField: Leaf {
  /// Creates a field.
  public init(_ title: String, text: Binding<String>) {}
}
/// A button.
public struct Button: Leaf {
  /// Creates a button.
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}
/// A control for a number.
public struct Slider: Leaf {
  /// Creates a slider.
  public init(
    value: Binding<Double>, in bounds: ClosedRange<Double> = 0...1, @ViewBuilder label: () -> some View
  ) {}
}
/// A drag gesture.
public struct DragGesture: Gesture {
  /// An event of the gesture.
  public struct Value {
    /// The current location.
    public var location: CGPoint
  }
  /// Creates a gesture.
  public init(minimumDistance: CGFloat = 10) {}
}
/// A gesture.
@MainActor @preconcurrency public protocol Gesture {
  /// An event of the gesture.
  associatedtype Value
}
extension Gesture {
  /// Adds an action.
  public func onChanged(_ action: @escaping (Value) -> Void) -> Self { self }
  /// Adds an action.
  public func onEnded(_ action: @escaping (Value) -> Void) -> Self { self }
}
extension View {
  /// Sets the size.
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { AnyLeaf() }
  /// Sets the offset.
  public func position(_ position: CGPoint) -> some View { AnyLeaf() }
  /// Adds padding.
  public func padding() -> some View { AnyLeaf() }
  /// Adds a gesture.
  public func gesture(_ gesture: some Gesture) -> some View { AnyLeaf() }
  /// Adds an action.
  public func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some View { AnyLeaf() }
}
