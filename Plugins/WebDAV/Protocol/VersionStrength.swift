/// Whether a version changes with every change of the content, also with two in the same second.
enum VersionStrength: Hashable, Sendable {
    /// It holds a time finer than a second.
    case strong
    /// It is, or may be, made of whole seconds: of another change in the same second that keeps the size it says
    /// nothing.
    case wholeSecond

    /// - Parameters:
    ///   - tag: The entity tag; nil where the version is date and size.
    ///   - modified: The date that the server tells, in seconds since 1970.
    init(_ tag: EntityTag?, modified: Double?) {
        guard let tag, let modified, modified >= 1 else {
            self = .wholeSecond
            return
        }
        self = Self.numbers(in: tag.opaque).contains { Self.isFine($0, Int(modified)) } ? .strong : .wholeSecond
    }

    // A time in milliseconds, microseconds, or nanoseconds since 1970, of that second but not at its very start.
    private static func isFine(_ number: UInt64, _ second: Int) -> Bool {
        [1_000, 1_000_000, 1_000_000_000].contains { unit in
            number / unit == UInt64(second) && !number.isMultiple(of: unit)
        }
    }

    // Apache writes microseconds in hexadecimal, golang nanoseconds with the size right behind them; others write
    // decimals.
    private static func numbers(in text: String) -> [UInt64] {
        var found: [UInt64] = []
        for part in text.split(whereSeparator: { !$0.isASCII || !$0.isHexDigit }).prefix(8) {
            for candidate in [part, part.prefix(16)] {
                found += [UInt64(candidate, radix: 16), UInt64(candidate)].compactMap { $0 }
            }
        }
        return found
    }
}
