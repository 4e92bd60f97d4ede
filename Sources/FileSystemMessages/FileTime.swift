/// A time of a file.
package struct FileTime: Sendable, Hashable {
    /// Since 1970-01-01 UTC; negative before.
    package var seconds: Int64
    /// From 0 to 999,999,999, added to the seconds.
    package var nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Converts from seconds since 1970. One that no file can have becomes the nearest that it can.
    package init(_ seconds: Double) {
        guard seconds.isFinite else {
            self.init(seconds: 0)
            return
        }
        let clamped = min(max(seconds, -0x1p52), 0x1p52)
        let whole = clamped.rounded(.down)
        self.init(seconds: Int64(whole), nanoseconds: UInt32(min((clamped - whole) * 1e9, 999_999_999)))
    }

    /// In seconds since 1970.
    package var interval: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}
