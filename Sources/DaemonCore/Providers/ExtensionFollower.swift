import Access
import ExtensionHosting
import ExtensionManifest
import HostCore
import Logging
import RemoteDocuments

/// Follows each extension while its process lives: has a file provider watch what is presented, and receives the news,
/// the claims and the keyring requests of the extension.
struct ExtensionFollower: Sendable {
    let supervisor: ExtensionSupervisor
    let coordination: CoordinationService
    let changes: ContentChanges
    let poller: ChangePoller
    let keychain: KeychainService
    let logger: Logger

    /// Runs until the supervisor has ended. An extension that starts earlier is followed once this runs.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await start in supervisor.starts {
                let (provider, connection) = (start.provider, start.connection)
                coordination.watchAgain(start.observed)
                group.addTask { await ProviderClaims.follow(provider, connection, coordination, logger) }
                group.addTask { await ProviderKeychain.follow(provider, start.point, connection, keychain, logger) }
                guard start.point == .fileProvider else { continue }
                group.addTask { await ProviderEvents.follow(provider, connection, changes, poller, logger) }
            }
        }
    }
}
