/// Whether a version changes with every change of the content, even with two in the same second.
enum VersionStrength: Hashable, Sendable {
    /// It contains a time finer than a second.
    case strong
    /// It is, or may be, made of whole seconds. It misses another change in the same second that keeps the size.
    case wholeSecond

    /// - Parameters:
    ///   - tag: The entity tag; nil if the version is date and size.
    ///   - modified: The date that the server reports, in seconds since 1970.
    init(_ tag: EntityTag?, modified: Double?) {
        guard let tag, let modified, modified >= 1 else {
            self = .wholeSecond
            return
        }
        self = Self.numbers(in: tag.opaque).contains { Self.isFine($0, Int(modified)) } ? .strong : .wholeSecond
    }

    // A time in milliseconds, microseconds or nanoseconds since 1970, within that second but not at its very start.
    private static func isFine(_ number: UInt64, _ second: Int) -> Bool {
        [1_000, 1_000_000, 1_000_000_000].contains { unit in
            number / unit == UInt64(second) && !number.isMultiple(of: unit)
        }
    }

    // Apache writes microseconds in hexadecimal; Go writes nanoseconds directly followed by the size; others write
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
