/// The identifier of a change at the daemon, in the form in which it is left with a keeper. Pure.
package struct KeptOperation: Sendable, Hashable {
    package let upper: UInt64
    package let lower: UInt64

    /// Nil if both numbers are 0, which stands for no change.
    package init?(upper: UInt64, lower: UInt64) {
        guard upper != 0 || lower != 0 else { return nil }
        (self.upper, self.lower) = (upper, lower)
    }

    /// Nil if the identifier is not a UUID, in lower case.
    package init?(_ identifier: String) {
        let digits = identifier.filter { $0 != "-" }
        guard digits.utf8.count == 32, let upper = UInt64(digits.prefix(16), radix: 16),
            let lower = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(upper: upper, lower: lower)
        guard self.identifier == identifier else { return nil }
    }

    /// The identifier as the daemon knows it.
    package var identifier: String {
        let digits = Self.digits(upper) + Self.digits(lower)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { result.append("-") }
            result.append(digit)
        }
        return result
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
