import Coordination
import DocentInterfaces
import ExtensionHosting
import RemoteDocuments
import Synchronization

/// Has providers watch what is presented here, from the first presenter of an item to the last (complaint 11). Thread-safe; nobody
/// waits for it.
package final class ItemObservers: Sendable {
    private struct State {
        var counts: [Coordination.ItemKey: Int] = [:]
        /// Providers that do not know the call.
        var unable: Set<String> = []
        var running: Task<Void, Never>?
    }

    private let gateway: DocumentGateway
    private let state = Mutex(State())

    init(gateway: DocumentGateway) { self.gateway = gateway }

    /// Somebody presents an item; of an absent one, its folder is watched.
    func add(_ item: Coordination.ItemKey) {
        guard !item.isAbsent else { return }
        state.withLock { state in
            state.counts[item, default: 0] += 1
            if state.counts[item] == 1 { tell(item, true, &state) }
        }
    }

    /// Somebody presents it no more.
    func remove(_ item: Coordination.ItemKey) {
        guard !item.isAbsent else { return }
        state.withLock { state in
            guard let count = state.counts[item] else { return }
            state.counts[item] = count > 1 ? count - 1 : nil
            if count == 1 { tell(item, false, &state) }
        }
    }

    /// A provider has been started: it knows nothing of what an earlier process was asked.
    package func providerStarted(_ provider: String) {
        state.withLock { state in
            state.unable.remove(provider)
            for item in state.counts.keys where item.provider == provider { tell(item, true, &state) }
        }
    }

    /// Whether a provider watches anything, and so must not be ended as idle.
    package func observes(_ provider: String) -> Bool {
        state.withLock { state in
            !state.unable.contains(provider) && state.counts.keys.contains { $0.provider == provider }
        }
    }

    // One after the other, so that the last word about an item is the last that its provider hears.
    private func tell(_ item: Coordination.ItemKey, _ observing: Bool, _ state: inout State) {
        guard !state.unable.contains(item.provider) else { return }
        let before = state.running
        state.running = Task { [gateway, weak self] in
            await before?.value
            do {
                let (_, connection) = try await gateway.fileProvider(item.provider)
                _ = try await connection.call(
                    FileProviderInterface.Observe.self,
                    .init(domain: item.domain, identifier: item.identifier, observing: observing))
            } catch let failure as Failure {
                guard failure.code == .notSupported else { return }
                self?.state.withLock { _ = $0.unable.insert(item.provider) }
            } catch {}
        }
    }
}
