package import Varlink

/// What each principal may have of what all need (T4), in one place. What the server shares out by itself stands in
/// `ServerLimits`.
package enum PrincipalLimits {
    /// What the daemon's server shares out: connections, half messages, their bytes and descriptors.
    package static let server = ServerLimits()
    /// Calls that wait. A build of the user's may read two hundred documents at once.
    package static let waitingCalls = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 768), confined: .init(each: 64, together: 640))
    /// Requests that wait for the user to choose; all of them fit into one message.
    package static let picks = ShareLimits(
        total: 64, unconfined: .init(each: 4, together: 48), confined: .init(each: 4, together: 48))
    /// Write sessions, each of which holds a descriptor and a staged file; those of packages count apart.
    package static let writes = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 768), confined: .init(each: 64, together: 512))
    /// Bytes that the staged files of open write sessions have when a further one begins. One may be of any size.
    package static let stagedBytes = ShareLimits(
        total: .max, unconfined: .init(each: .max, together: .max),
        confined: .init(each: 8 << 30, together: 32 << 30), admitsOneLarge: true)
    /// Bytes of copies that were imported and stay until their session ends. One may be of any size.
    package static let importedBytes = ShareLimits(
        total: .max, unconfined: .init(each: .max, together: .max),
        confined: .init(each: 8 << 30, together: 32 << 30), admitsOneLarge: true)
    /// Calls to one provider at a time, of the 48 that it may have; who has its share waits.
    package static let providerCalls = ShareLimits(
        total: 48, unconfined: .init(each: 36, together: 36), confined: .init(each: 16, together: 32))
}
