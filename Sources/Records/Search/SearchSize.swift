/// Reads the sizes of a query. Pure.
package enum SearchSize {
    /// A number with a unit: none or `B`, `k`, `M`, `G`, `T` with or without `B` (powers of 1000), or `KiB`, `MiB`,
    /// `GiB`, `TiB` (powers of 1024). The case of the unit does not matter.
    ///
    /// - Returns: bytes; nil for any other text.
    package static func parse(_ text: String) -> Int64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard (1...18).contains(number.utf8.count), let value = Double(number), value.isFinite else { return nil }
        let factor: Double
        switch text.dropFirst(number.count).lowercased() {
        case "", "b": factor = 1
        case "k", "kb": factor = 1e3
        case "m", "mb": factor = 1e6
        case "g", "gb": factor = 1e9
        case "t", "tb": factor = 1e12
        case "kib": factor = 1024
        case "mib": factor = 1_048_576
        case "gib": factor = 1_073_741_824
        case "tib": factor = 1_099_511_627_776
        default: return nil
        }
        let bytes = value * factor
        return bytes < 9e18 ? Int64(bytes) : nil
    }
}
