// Schmidt semi-normalised Legendre functions, without a special case at the poles.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The Schmidt semi-normalised Legendre functions P(n, m) of sin(latitude), for degrees up to 12.
///
/// For m > 0 every P(n, m) has the factor c = cos(latitude).
/// The recursion computes P / c, which is finite at the poles, and avoids a division by c.
struct Legendre {
  private static let degree = 12

  private let sine: Double
  private let cosine: Double
  /// P(n, 0), and P(n, m) / c for m > 0, at the index n * (degree + 1) + m.
  private var reduced: [Double]

  /// Computes all functions at a geocentric latitude in radians.
  init(latitude: Double) {
    sine = sin(latitude)
    cosine = cos(latitude)
    reduced = Array(repeating: 0, count: (Self.degree + 1) * (Self.degree + 1))
    reduced[0] = 1
    for n in 1...Self.degree {
      for m in 0...n {
        reduced[n * (Self.degree + 1) + m] = next(n, m)
      }
    }
  }

  /// P(n, m).
  func value(_ n: Int, _ m: Int) -> Double {
    m == 0 ? at(n, 0) : cosine * at(n, m)
  }

  /// P(n, m) / cos(latitude), for m > 0.
  func overCosine(_ n: Int, _ m: Int) -> Double {
    m == 0 ? 0 : at(n, m)
  }

  /// The derivative of P(n, m) by the latitude, for n > 0.
  ///
  /// sqrt(n^2 - m^2) P(n-1, m) / c - n t P(n, m) / c, and sqrt(n (n+1) / 2) P(n, 1) for m = 0.
  func slope(_ n: Int, _ m: Int) -> Double {
    if m == 0 { return (Double(n * (n + 1)) / 2).squareRoot() * value(n, 1) }
    return Double(n * n - m * m).squareRoot() * at(n - 1, m) - Double(n) * sine * at(n, m)
  }

  private func at(_ n: Int, _ m: Int) -> Double {
    m > n ? 0 : reduced[n * (Self.degree + 1) + m]
  }

  /// One step of the recursion, from lower degrees of the same order or along the diagonal.
  private func next(_ n: Int, _ m: Int) -> Double {
    if n == m {
      // The Schmidt factor doubles the square once, from order 0 to order 1.
      return n == 1 ? 1 : (1 - 1 / Double(2 * n)).squareRoot() * cosine * at(n - 1, n - 1)
    }
    let before = Double((n - 1) * (n - 1) - m * m)
    let lower = before > 0 ? before.squareRoot() * at(n - 2, m) : 0
    return (Double(2 * n - 1) * sine * at(n - 1, m) - lower) / Double(n * n - m * m).squareRoot()
  }
}
