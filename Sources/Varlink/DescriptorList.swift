import CVarlinkSocket
import Glibc
import Synchronization

/// The descriptors of a message. Each can be taken once; the last reference closes those that were not taken.
///
/// Thread-safe.
package final class DescriptorList: Sendable {
    private static let taken: CInt = -1

    private let descriptors: Mutex<[CInt]>

    /// Creates an empty list.
    package init() {
        descriptors = Mutex([])
    }

    /// Creates a list of one descriptor.
    package init(_ descriptor: consuming OwnedDescriptor) {
        descriptors = Mutex([descriptor.release()])
    }

    init(owning raw: [CInt]) {
        descriptors = Mutex(raw)
    }

    deinit {
        closeAll()
    }

    /// Adds a descriptor at the next position.
    package func append(_ descriptor: consuming OwnedDescriptor) {
        let raw = descriptor.release()
        descriptors.withLock { $0.append(raw) }
    }

    /// The number of positions, including those of taken descriptors.
    package var count: Int {
        descriptors.withLock { $0.count }
    }

    /// Takes the descriptor at a position. The positions of the others do not change.
    ///
    /// Throws `VarlinkError` with the code `descriptorMismatch` if there is no such position or the descriptor was
    /// already taken.
    package func take(_ index: Int) throws -> OwnedDescriptor {
        let raw = descriptors.withLock { descriptors -> CInt in
            guard descriptors.indices.contains(index) else { return Self.taken }
            let raw = descriptors[index]
            descriptors[index] = Self.taken
            return raw
        }
        guard raw != Self.taken else {
            throw VarlinkError(.descriptorMismatch, "The message has no descriptor at index \(index), or it was taken.")
        }
        return OwnedDescriptor(raw)
    }

    /// A second list of the same open files, for a call that may have to be repeated. Throws `VarlinkError`.
    package func duplicate() throws -> DescriptorList {
        let copy = DescriptorList()
        try descriptors.withLock { descriptors in
            for raw in descriptors {
                copy.append(try OwnedDescriptor(checking: cvarlink_duplicate(raw), "duplicate a descriptor"))
            }
        }
        return copy
    }

    /// Calls `body` with the numbers, while none can be taken; returns nil if one was already taken.
    func withRaw<Result>(_ body: ([CInt]) throws -> Result) rethrows -> Result? {
        try descriptors.withLock { descriptors in
            descriptors.contains(Self.taken) ? nil : try body(descriptors)
        }
    }

    /// Closes the descriptors that were not taken.
    func closeAll() {
        descriptors.withLock { descriptors in
            for raw in descriptors where raw != Self.taken {
                close(raw)
            }
            descriptors.removeAll()
        }
    }
}
