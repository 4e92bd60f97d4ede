package import Varlink

/// The limits on what a principal may have open of what the daemon keeps on disk for it. Tests use smaller ones.
package struct ContentLimits: Sendable {
    /// Write sessions.
    package var writes = PrincipalLimits.writes
    /// Bytes in the staged files of open write sessions, of documents and packages together.
    package var stagedBytes = PrincipalLimits.stagedBytes
    /// Bytes of copies that confined clients have open.
    package var copiedBytes = PrincipalLimits.copiedBytes

    /// The limits of the daemon.
    package init() {}
}
