import Dispatch

/// Work that blocks, off the cooperative pool.
enum BlockingWork {
    /// Each in a serial queue of its own, which gets a thread at once; a concurrent queue has one for each processor, and
    /// waits a second before it gets another while they block.
    static func run(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "org.docent.documents").async(execute: work)
    }
}
