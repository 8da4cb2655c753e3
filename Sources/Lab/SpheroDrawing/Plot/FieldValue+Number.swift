// The numbers of field values for bars, traces and plots.

package import SpheroProtocol

extension FieldValue {
  /// The value as a number; nil if it is not a number or unknown.
  package var number: Double? {
    switch self {
    case .integer(let count, let quantity): quantity.value(of: count)
    case .decimal(let number, _): number.isFinite ? number : nil
    case .number(let number): number.isFinite ? Double(number) : nil
    default: nil
    }
  }

  /// The ``number`` rounded to the decimals that printers write; ties to even.
  package var printedNumber: Double? {
    guard let number else { return nil }
    let digits: Int
    switch self {
    case .integer(_, let quantity): digits = quantity.digits
    case .decimal(_, let decimals): digits = min(max(decimals, 0), 9)
    default: return number
    }
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let product = number * power
    guard product.magnitude < 0x1p53 else { return number }
    var whole = product.rounded(.down)
    if product - whole == 0.5 {
      // The exact error of the rounded product decides whether the value is above or below the tie.
      let error = (-product).addingProduct(number, power)
      if error > 0 || error == 0 && Int64(whole) & 1 == 1 { whole += 1 }
    } else {
      whole = product.rounded()
    }
    return whole / power
  }
}
