import CVarlinkSocket
import Glibc

/// A file descriptor with one owner, closed when the value is destroyed.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// The descriptor's number, valid while this value exists.
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

    /// Gives up ownership; the caller closes the result.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    /// A second, close-on-exec descriptor of the same open file.
    package func duplicate() throws -> OwnedDescriptor {
        try OwnedDescriptor(checking: cvarlink_duplicate(raw), "duplicate a descriptor")
    }

    /// Takes ownership of the result of a C function that returns a descriptor or a negated `errno`.
    init(checking result: CInt, _ operation: String) throws(VarlinkError) {
        guard result >= 0 else {
            throw VarlinkError(systemCall: operation, errno: -result)
        }
        self.init(result)
    }
}
