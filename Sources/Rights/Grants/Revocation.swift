/// Rights that have just been taken away (I3).
package struct Revocation: Sendable {
    /// What was asked.
    package let filter: GrantFilter
    /// The grants that are gone, durably.
    package let grants: [Grant]
    /// The number of this revocation since the store was opened; each is one higher than the last.
    package let generation: UInt64
}
