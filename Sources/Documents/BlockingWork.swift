import Dispatch

/// Work that blocks, off the cooperative pool.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "org.docent.documents", attributes: .concurrent)

    static func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
