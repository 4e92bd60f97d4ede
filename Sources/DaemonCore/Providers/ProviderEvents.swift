import DocentInterfaces
import ExtensionHosting
import HostCore
import Logging
import RemoteDocuments
import Rights
import Varlink

/// Receives the news of a file provider for as long as its process lives.
enum ProviderEvents {
    static func follow(
        _ provider: KnownProvider, _ connection: ExtensionConnection, _ changes: ContentChanges,
        _ poller: ChangePoller, _ logger: Logger
    ) async {
        try? await connection.withStream(FileProviderInterface.Events.self, .init()) { reply in
            let event = reply.value
            if !connection.features.contains("inPlace") {
                let domain = DomainKey(provider: provider.identifier, domain: event.domain)
                await poller.noticed(event.kind, domain, event.identifiers)
            }
            switch event.kind {
            case "changed", "deleted":
                for identifier in event.identifiers {
                    changes.contentChanged(
                        ItemKey(provider: provider.identifier, domain: event.domain, identifier: identifier))
                }
            case "resync": changes.providerChanged(provider.identifier, domain: event.domain)
            case "log":
                logger.info(
                    "provider says",
                    metadata: [
                        "provider": "\(provider.identifier)", "text": "\(connection.redact(event.message ?? ""))",
                    ])
            // News of a newer provider that this daemon does not know (T5).
            default: break
            }
        }
    }
}
