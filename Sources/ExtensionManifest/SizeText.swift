/// Byte counts as people write them: `512 MiB`, `2 GB`, `4096`. Pure.
package enum SizeText {
    private static let units: [(name: String, factor: Int)] = [
        ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("KB", 1000),
        ("B", 1),
    ]

    /// The number of bytes in a text; nil if it is invalid or does not fit in 64 bits.
    ///
    /// A whole number, then a unit: B, KB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024). Without a unit the
    /// number is in bytes.
    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        guard let number = Int(digits) else { return nil }
        if unit.isEmpty { return digits.endIndex == text.endIndex ? number : nil }
        guard let factor = units.first(where: { $0.name == unit })?.factor else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }

    /// The text for a number of bytes: exact, in the largest unit that divides it.
    package static func text(_ bytes: Int) -> String {
        let unit = units.first { bytes >= $0.factor && bytes % $0.factor == 0 } ?? ("B", 1)
        return "\(bytes / unit.factor) \(unit.name)"
    }

    /// The text for a measured number of bytes: rounded up to whole MiB.
    package static func rounded(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }
}
