/// Rights that have just been revoked.
package struct Revocation: Sendable {
    /// The filter of the request.
    package let filter: GrantFilter
    /// The revoked grants; the change is durable.
    package let grants: [Grant]
    /// The number of this revocation since the store was opened; each is one higher than the last.
    package let generation: UInt64
}
