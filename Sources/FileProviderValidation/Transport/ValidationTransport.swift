/// A way to reach a provider: in this process, in one of its own, through the extension host, through the daemon.
package protocol ValidationTransport: Sendable {
    /// Its name in reports.
    var name: String { get }

    /// What it makes possible.
    var abilities: TransportAbilities { get }

    /// Starts a provider.
    ///
    /// - Parameters:
    ///   - subject: the provider.
    ///   - directory: an existing directory for this instance and later ones. Its contents are the state that the
    ///     provider starts with.
    /// - Throws: `Failure` when it cannot be started; that is a finding of the case.
    func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance
}
