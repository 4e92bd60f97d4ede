import CLinux
import Dispatch
import Synchronization

/// Gives memory back to the system that a large piece of work has freed: the C library keeps it otherwise, for ever.
///
/// Thread-safe. At most once a second: it looks through all that the process has.
enum FreedMemory {
    private static let isPlanned = Atomic(false)

    /// Gives back what is free a moment from now, when the caller too has let go of its own.
    static func giveBackSoon() {
        guard !isPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
            isPlanned.store(false, ordering: .releasing)
            clinux_give_back_memory()
        }
    }
}
