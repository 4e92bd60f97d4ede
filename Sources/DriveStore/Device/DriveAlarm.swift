/// What a store or a device did that must not happen. It is reported and never taken in.
package struct DriveAlarm: Hashable, Sendable {
    /// The object or device that it concerns.
    package let subject: String
    /// Why.
    package let error: DriveError
}
