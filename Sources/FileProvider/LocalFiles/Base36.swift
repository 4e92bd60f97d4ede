/// Numbers in base 36, joined with dots, as `String(_:radix:)` writes them. Listings make several for each item.
package enum Base36 {
    /// A signed or unsigned number of 64 bits.
    package struct Number: Sendable {
        fileprivate let magnitude: UInt64
        fileprivate let isNegative: Bool

        /// Takes any integer of at most 64 bits.
        package init(_ number: some FixedWidthInteger) {
            magnitude = UInt64(number.magnitude)
            isNegative = number < 0
        }
    }

    // A sign and 13 digits for each, and a dot after it.
    private static let longest = 15

    /// The text of two to four numbers.
    package static func text(_ first: Number, _ second: Number, _ third: Number? = nil, _ fourth: Number? = nil)
        -> String
    {
        String(unsafeUninitializedCapacity: 4 * longest) { text in
            var end = append(first, to: text, at: 0)
            for number in [second, third, fourth] {
                guard let number else { continue }
                text.initializeElement(at: end, to: UInt8(ascii: "."))
                end = append(number, to: text, at: end + 1)
            }
            return end
        }
    }

    /// Writes a number and returns where it ends.
    private static func append(_ number: Number, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        var start = start
        if number.isNegative {
            text.initializeElement(at: start, to: UInt8(ascii: "-"))
            start += 1
        }
        var rest = number.magnitude
        var count = 0
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % 36)
            text.initializeElement(
                at: start + count, to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            rest /= 36
            count += 1
        } while rest > 0
        text[start..<start + count].reverse()
        return start + count
    }
}
