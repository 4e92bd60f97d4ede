import Dispatch
import FileProvider
import Synchronization

/// Reports changes to the host, at a limited rate. Safe to use from any thread.
final class PacedNews: Sendable {
    private struct State {
        var pacer = ChangePacer()
        var isAwaited = false
    }

    private let host: FileProviderHost
    private let queue = DispatchQueue(label: "org.docent.LocalFolder.news")
    private let state = Mutex(State())

    init(_ host: FileProviderHost) { self.host = host }

    func changed(_ items: Set<ItemIdentifier>) {
        guard !items.isEmpty else { return }
        tell { $0.note(items, now: .now) }
    }

    func deleted(_ items: Set<ItemIdentifier>) {
        state.withLock { $0.pacer.drop(items) }
        host.signalDeleted(items)
    }

    func resync() {
        state.withLock { $0.pacer.drop(nil) }
        host.signalResync()
    }

    private func tell(_ body: (inout ChangePacer) -> Set<ItemIdentifier>) {
        let (due, awaits) = state.withLock { state in
            let due = body(&state.pacer)
            let awaits = state.pacer.isHolding && !state.isAwaited
            if awaits { state.isAwaited = true }
            return (due, awaits)
        }
        if !due.isEmpty { host.signalChanged(due) }
        guard awaits else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isAwaited = false }
            tell { $0.due(now: .now) }
        }
    }
}
