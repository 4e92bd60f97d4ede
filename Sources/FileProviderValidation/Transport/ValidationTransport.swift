/// A way to a provider: in this process, in one of its own, through the extension host, through the daemon.
package protocol ValidationTransport: Sendable {
    /// Its name in reports.
    var name: String { get }

    /// What it lets the validator do.
    var abilities: TransportAbilities { get }

    /// Starts a provider.
    ///
    /// - Parameters:
    ///   - subject: the provider.
    ///   - directory: an existing directory for this instance and those after it. What was there before is the state
    ///     that it starts with.
    /// - Throws: `Failure` when it cannot be started; that is a finding of the case that wanted it.
    func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance
}
