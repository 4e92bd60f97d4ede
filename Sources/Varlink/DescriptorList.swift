import CVarlinkSocket
import Glibc
import Synchronization

/// The descriptors of one message, each of which can be taken once; the last reference closes what was not taken (T1).
///
/// Safe to use from any thread.
package final class DescriptorList: Sendable {
    private static let taken: CInt = -1

    private let descriptors: Mutex<[CInt]>

    /// An empty list.
    package init() {
        descriptors = Mutex([])
    }

    /// A list of one descriptor.
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

    /// How many positions there are, taken ones included.
    package var count: Int {
        descriptors.withLock { $0.count }
    }

    /// Takes the descriptor at a position of the message. Positions stay the same when others are taken.
    ///
    /// Throws `VarlinkError` with the code `descriptorMismatch` if there is no such position or it was taken before.
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

    /// Lets `body` see the numbers while nobody can take them; nil if one was taken.
    func withRaw<Result>(_ body: ([CInt]) throws -> Result) rethrows -> Result? {
        try descriptors.withLock { descriptors in
            descriptors.contains(Self.taken) ? nil : try body(descriptors)
        }
    }

    /// Closes what was not taken.
    func closeAll() {
        descriptors.withLock { descriptors in
            for raw in descriptors where raw != Self.taken {
                close(raw)
            }
            descriptors.removeAll()
        }
    }
}
