/// The state of the keyring, for `docent doctor`.
package enum KeyringStatus: Hashable, Sendable {
    /// Secrets can be stored and read.
    case available
    /// The default collection is locked; a desktop asks for its password when needed.
    case locked
    /// There is a service, but no collection to store in.
    case noCollection(String)
    /// There is no session bus, or no Secret Service on it.
    case noService(String)
    /// The service did not answer in time.
    case timedOut
    /// The service answered with an error.
    case failed(String)
}
