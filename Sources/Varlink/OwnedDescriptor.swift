import CVarlinkSocket
import Glibc

/// A file descriptor with one owner: it is closed when the value ends.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// The descriptor's number, valid while this value lives.
    package let raw: CInt

    /// Takes ownership of an open descriptor.
    package init(_ raw: CInt) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 {
            close(raw)
        }
    }

    /// Gives ownership up: the caller closes the result.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// A second descriptor of the same open file, close-on-exec.
    package func duplicate() throws -> OwnedDescriptor {
        try OwnedDescriptor(checking: cvarlink_duplicate(raw), "duplicate a descriptor")
    }

    /// Owns the result of a shim that answers a descriptor or a negated `errno`.
    init(checking result: CInt, _ operation: String) throws(VarlinkError) {
        guard result >= 0 else {
            throw VarlinkError(systemCall: operation, errno: -result)
        }
        self.init(result)
    }
}
