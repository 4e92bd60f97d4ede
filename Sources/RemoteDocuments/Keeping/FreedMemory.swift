import CLinux
import Dispatch
import Synchronization

/// Returns memory to the system after a large piece of work has freed it. The C library would keep it forever.
///
/// Thread-safe. Runs at most once a second, because it scans the whole heap.
enum FreedMemory {
    private static let isPlanned = Atomic(false)

    /// Returns free memory to the system a moment from now, when the caller has released its own as well.
    static func giveBackSoon() {
        guard !isPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
            isPlanned.store(false, ordering: .releasing)
            clinux_give_back_memory()
        }
    }
}
