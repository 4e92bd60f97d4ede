import Coordination
import DocentInterfaces
import ExtensionHosting
import RemoteDocuments
import Rights
import Synchronization

/// Has providers watch what is presented here, from the first presenter of an item to the last (complaint 11).
/// Thread-safe; nobody waits for it.
package final class ItemObservers: Sendable {
    private let gateway: DocumentGateway
    private let observed: ObservedItems
    // Also held while the counts change, so that providers hear of the changes in their order.
    private let running = Mutex<Task<Void, Never>?>(nil)

    init(gateway: DocumentGateway, observed: ObservedItems) {
        self.gateway = gateway
        self.observed = observed
    }

    /// Somebody presents an item; of an absent one, its folder is watched.
    func add(_ item: Coordination.ItemKey) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.add(item.item) { tell(item.item, true, &running) } }
    }

    /// Somebody presents it no more.
    func remove(_ item: Coordination.ItemKey) {
        guard !item.isAbsent else { return }
        running.withLock { running in if observed.remove(item.item) { tell(item.item, false, &running) } }
    }

    /// A provider has been started: it knows nothing of what an earlier process was asked.
    package func providerStarted(_ provider: String) {
        running.withLock { running in
            for item in observed.providerStarted(provider) { tell(item, true, &running) }
        }
    }

    // One after the other, so that the last word about an item is the last that its provider hears.
    private func tell(_ item: Rights.ItemKey, _ observing: Bool, _ running: inout Task<Void, Never>?) {
        guard observed.canWatch(item.provider) else { return }
        let before = running
        running = Task { [gateway, observed] in
            await before?.value
            do {
                let (_, connection) = try await gateway.fileProvider(item.provider)
                _ = try await connection.call(
                    FileProviderInterface.Observe.self,
                    .init(domain: item.domain, identifier: item.identifier, observing: observing))
            } catch let failure as Failure {
                guard failure.code == .notSupported else { return }
                observed.noteUnable(item.provider)
            } catch {}
        }
    }
}
