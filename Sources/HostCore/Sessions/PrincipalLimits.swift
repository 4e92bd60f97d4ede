package import Varlink

/// Each principal's limits on shared resources (T4), in one place. The limits that the server enforces by itself are in
/// `ServerLimits`.
package enum PrincipalLimits {
    /// What the daemon's server limits: connections, unfinished messages, their bytes and descriptors.
    package static let server = ServerLimits()
    /// Calls that wait. One of the user's builds may read two hundred documents at once.
    package static let waitingCalls = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 768), confined: .init(each: 64, together: 640))
    /// Requests that wait for the user to choose; all of them fit into one message.
    package static let picks = ShareLimits(
        total: 64, unconfined: .init(each: 4, together: 48), confined: .init(each: 4, together: 48))
    /// Write sessions, each of which holds a descriptor and a staged file; those of packages are counted separately.
    package static let writes = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 768), confined: .init(each: 64, together: 512))
    /// Searches that wait for changes, each of which looks at every change.
    package static let liveSearches = ShareLimits(
        total: 128, unconfined: .init(each: 32, together: 96), confined: .init(each: 8, together: 64))
    /// Documents and folders whose transfers are watched.
    package static let watches = ShareLimits(
        total: 128, unconfined: .init(each: 32, together: 96), confined: .init(each: 8, together: 64))
    /// Bytes in the staged files of open write sessions, of documents and packages together, when more is staged. A
    /// single file may be of any size.
    package static let stagedBytes = ShareLimits(
        total: .max, unconfined: .init(each: .max, together: .max),
        confined: .init(each: 8 << 30, together: 32 << 30), admitsOneLarge: true)
    /// Bytes of private copies that clients have open. A single document may be of any size. Unconfined programs get
    /// no private copies.
    package static let copiedBytes = ShareLimits(
        total: .max, unconfined: .none, confined: .init(each: 1 << 30, together: 8 << 30), admitsOneLarge: true)
    /// Simultaneous calls to one provider, of the 48 that it may have. A principal that has used up its share waits.
    package static let providerCalls = ShareLimits(
        total: 48, unconfined: .init(each: 36, together: 36), confined: .init(each: 16, together: 32))
}
