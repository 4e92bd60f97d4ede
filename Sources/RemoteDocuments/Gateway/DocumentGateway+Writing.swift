import DocentInterfaces
import ExtensionHosting

extension DocumentGateway {
    /// Refuses to change or create documents of a provider that does not declare write support, before anything is
    /// staged or recorded: a save must not wait for an upload that never happens (HAZARDS 24).
    ///
    /// A provider that cannot be started now may still be able to write: the save waits for it (law 6).
    ///
    /// - Throws: ``Failure`` `NotSupported`; `CancellationError`.
    package func requireWritable(_ name: String) async throws {
        try await requireRoom(name)
        guard !isKnownWritable(name) else { return }
        guard let (provider, connection) = try? await fileProvider(name) else { return try Task.checkCancellation() }
        guard connection.features.contains("write") else {
            throw Failure(
                .notSupported, "The documents of \(provider.identifier) can only be read.",
                suggestion: "Save it elsewhere: `docent providers` lists the providers.", provider: provider.identifier)
        }
        noteWritable(provider.identifier)
    }
}
