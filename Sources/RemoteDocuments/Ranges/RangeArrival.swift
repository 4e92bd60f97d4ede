/// How a fetch of a range reports what has come.
package struct RangeArrival: Sendable {
    /// The provider has said that the bytes are of the right version: they can be read as they come.
    package let confirmed: @Sendable () -> Void
    /// The bytes up to this position of the content are in the file.
    package let arrived: @Sendable (Int64) -> Void

    package init(confirmed: @escaping @Sendable () -> Void, arrived: @escaping @Sendable (Int64) -> Void) {
        self.confirmed = confirmed
        self.arrived = arrived
    }
}
