import DocentInterfaces
import ExtensionHosting

extension DocumentGateway {
    /// Refuses to change or make documents of a provider that does not declare that they can be, before anything is
    /// staged or on record: what is saved here must not wait for an upload that never comes (HAZARDS 24).
    ///
    /// A provider that cannot be started now has not said that it cannot write: what is saved waits for it (law 6).
    ///
    /// - Throws: ``Failure`` `NotSupported`; `CancellationError`.
    package func requireWritable(_ name: String) async throws {
        try await requireRoom(name)
        guard !isKnownWritable(name) else { return }
        guard let (provider, connection) = try? await fileProvider(name) else { return try Task.checkCancellation() }
        guard connection.features.contains("write") else {
            throw Failure(
                .notSupported, "What \(provider.identifier) has can only be read.",
                suggestion: "Save it in another place: `docent providers` lists them.", provider: provider.identifier)
        }
        noteWritable(provider.identifier)
    }
}
