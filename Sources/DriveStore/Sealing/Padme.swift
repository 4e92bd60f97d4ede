/// Padding that hides the exact size and costs at most 12 %: Padmé, of Nikitin and others, "Reducing Metadata Leakage
/// from Encrypted Files and Communication with PURBs" (2019).
package enum Padme {
    /// The smallest size, so that small objects all look the same.
    package static let minimum = 256

    /// The size that a thing of `count` bytes is padded to.
    package static func size(of count: Int) -> Int {
        guard count > minimum else { return minimum }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - significant)) - 1
        return (count + mask) & ~mask
    }
}
