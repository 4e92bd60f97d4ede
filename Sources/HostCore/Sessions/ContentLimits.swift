package import Varlink

/// The limits on what a principal may have open of what the daemon keeps on disk for it. Tests use smaller ones.
package struct ContentLimits: Sendable {
    /// Write sessions.
    package var writes = PrincipalLimits.writes
    /// Bytes in the staged files of open write sessions.
    package var stagedBytes = PrincipalLimits.stagedBytes
    /// Bytes of copies that a confined client has open. A single document may be larger.
    package var copiedBytes: UInt64 = 1 << 30

    /// The limits of the daemon.
    package init() {}
}
