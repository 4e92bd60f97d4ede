/// What `docent doctor` says about the keyring.
package enum KeyringStatus: Hashable, Sendable {
    /// Secrets can be stored and read.
    case available
    /// The default collection is locked; a desktop asks for its password when it is needed.
    case locked
    /// There is a service, but no collection to store in (TRIED, trap 7).
    case noCollection(String)
    /// No session bus, or no Secret Service on it.
    case noService(String)
    /// The service did not answer in time.
    case timedOut
    /// The service answered with an error.
    case failed(String)
}
