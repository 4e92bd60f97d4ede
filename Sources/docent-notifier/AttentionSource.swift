import DesktopNotices
import DocentInterfaces
import Documents
import Varlink

/// Asks the daemon which decisions wait for the user.
struct AttentionSource: Sendable {
    private static let patience = Duration.seconds(60)

    let client: DocumentsClient

    /// A client that follows a session of the user: it starts a daemon, unless the user stops it meanwhile.
    static func standard() -> AttentionSource {
        var configuration = DocumentsClient.Configuration(clientIdentifier: "org.docent.notifier")
        configuration.leavesStopped = true
        configuration.leavesNoTrace = true
        return AttentionSource(client: DocumentsClient(configuration))
    }

    /// The decisions that wait now.
    ///
    /// - Parameter known: the conflicts that were there before. As long as there are no others, the daemon is not asked
    ///   where the documents are: it might have to ask their providers.
    /// - Throws: ``DocumentsError``; `notPermitted` in a sandbox.
    func look(known: [ConflictedDocument]?) async throws(DocumentsError) -> Attention {
        let held = try await client.call(AdministrationInterface.Held.self, .init(), deadline: Self.patience).value
        return Attention(
            conflicts: try await conflicts(known: known), programs: held.clients, listings: held.listings)
    }

    private func conflicts(known: [ConflictedDocument]?) async throws(DocumentsError) -> [ConflictedDocument] {
        if let known {
            let kept = try await client.call(
                AdministrationInterface.Versions.self, .init(), deadline: Self.patience
            ).value.versions
            let unresolved = kept.filter { $0.isUnresolved == true }.map(\.identifier)
            if Set(unresolved) == Set(known.flatMap { $0.versions.map(\.identifier) }) { return known }
        }
        return ConflictedDocument.group(
            try await client.call(
                AdministrationInterface.Versions.self, .init(unresolved: true), deadline: Self.patience
            ).value.versions)
    }

    /// Lets a program go on that is held.
    func allow(kind: String, client name: String) async throws(DocumentsError) {
        _ = try await client.call(
            AdministrationInterface.AllowHeld.self, .init(clientKind: kind, client: name), deadline: Self.patience)
    }
}
