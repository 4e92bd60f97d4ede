import Coordination
import DocentInterfaces
import ExtensionHosting
import RemoteDocuments
import Rights
import Synchronization

/// Makes providers watch presented items, from the first presenter of an item to the last (complaint 11). Thread-safe;
/// callers never wait for providers.
final class ItemObservers: Sendable {
    /// Called when a provider has begun to watch an item: it did not report earlier changes.
    typealias Begun = @Sendable (ItemKey) async -> Void

    private let gateway: DocumentGateway
    private let observed: ObservedItems
    // By provider. Also held while the counts change, so that providers receive the changes in order.
    private let running = Mutex<[String: Task<Void, Never>]>([:])

    init(gateway: DocumentGateway, observed: ObservedItems) {
        self.gateway = gateway
        self.observed = observed
    }

    /// Whether its provider reports every change of an item from now on.
    func isWatched(_ item: ItemKey) -> Bool { observed.isWatched(item) }

    /// A presenter was added. For an absent item its folder is watched.
    func add(_ item: CoordinatedItem, begun: @escaping Begun) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.add(item.item) { tell(item.item, watch: begun, &running) } }
    }

    /// A presenter was removed.
    func remove(_ item: CoordinatedItem) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.remove(item.item) { tell(item.item, watch: nil, &running) } }
    }

    /// A provider has started, and was asked to watch these items before.
    func watchAgain(_ items: [ItemKey], begun: @escaping Begun) {
        running.withLock { running in
            // The last presenter of some may have gone since the start.
            for item in items where observed.isObserved(item) { tell(item, watch: begun, &running) }
        }
    }

    // One call of a provider after another, so that it receives the latest state of an item last. No provider waits for
    // another one. Nil ends the watching.
    private func tell(_ item: ItemKey, watch begun: Begun?, _ running: inout [String: Task<Void, Never>]) {
        observed.noteWatched(item, false)
        guard observed.canWatch(item.provider) else { return }
        let before = running[item.provider]
        running[item.provider] = Task { [gateway, observed] in
            await before?.value
            do {
                let (_, connection) = try await gateway.fileProvider(item.provider)
                _ = try await connection.call(
                    FileProviderInterface.Observe.self,
                    .init(domain: item.domain, identifier: item.identifier, observing: begun != nil))
                guard let begun else { return }
                observed.noteWatched(item, true)
                Task { await begun(item) }
            } catch let failure as Failure {
                guard failure.code == .notSupported else { return }
                observed.noteUnable(item.provider)
            } catch {}
        }
    }
}
