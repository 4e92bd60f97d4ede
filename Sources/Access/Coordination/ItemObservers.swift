import Coordination
import DocentInterfaces
import ExtensionHosting
import RemoteDocuments
import Rights
import Synchronization

/// Makes providers watch presented items, from the first presenter of an item to the last (complaint 11). Thread-safe;
/// callers never wait for providers.
package final class ItemObservers: Sendable {
    private let gateway: DocumentGateway
    private let observed: ObservedItems
    // By provider. Also held while the counts change, so that providers receive the changes in order.
    private let running = Mutex<[String: Task<Void, Never>]>([:])
    private let watched = Mutex<Set<ItemKey>>([])
    private let begun = Mutex<@Sendable (ItemKey) async -> Void>({ _ in })

    init(gateway: DocumentGateway, observed: ObservedItems) {
        self.gateway = gateway
        self.observed = observed
    }

    /// Sets the function to call when a provider has begun to watch an item: it did not report earlier changes.
    func follow(_ begun: @escaping @Sendable (ItemKey) async -> Void) { self.begun.withLock { $0 = begun } }

    /// Whether its provider reports every change of an item from now on.
    func isWatched(_ item: ItemKey) -> Bool { watched.withLock { $0.contains(item) } }

    /// A presenter was added. For an absent item its folder is watched.
    func add(_ item: CoordinatedItem) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.add(item.item) { tell(item.item, true, &running) } }
    }

    /// A presenter was removed.
    func remove(_ item: CoordinatedItem) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.remove(item.item) { tell(item.item, false, &running) } }
    }

    /// Called when a provider has started: a new process does not know what an earlier one was asked to watch.
    package func providerStarted(_ provider: String) {
        running.withLock { running in
            for item in observed.providerStarted(provider) { tell(item, true, &running) }
        }
    }

    // One call of a provider after another, so that it receives the latest state of an item last. No provider waits for
    // another one.
    private func tell(_ item: ItemKey, _ observing: Bool, _ running: inout [String: Task<Void, Never>]) {
        watched.withLock { _ = $0.remove(item) }
        guard observed.canWatch(item.provider) else { return }
        let before = running[item.provider]
        running[item.provider] = Task { [self, gateway, observed] in
            await before?.value
            do {
                let (_, connection) = try await gateway.fileProvider(item.provider)
                _ = try await connection.call(
                    FileProviderInterface.Observe.self,
                    .init(domain: item.domain, identifier: item.identifier, observing: observing))
                guard observing else { return }
                watched.withLock { _ = $0.insert(item) }
                let begun = begun.withLock { $0 }
                Task { await begun(item) }
            } catch let failure as Failure {
                guard failure.code == .notSupported else { return }
                observed.noteUnable(item.provider)
            } catch {}
        }
    }
}
