import CLinux
import Synchronization

/// An open descriptor with one owner: closed with the last reference, unless taken before.
///
/// May be shared between threads. They share the file offset, so Docent uses explicit offsets.
package final class OpenDescriptor: Sendable {
    private let storage: Atomic<Int32>

    /// Takes ownership of a descriptor; the caller must no longer close it.
    package init(owning number: Int32) {
        storage = Atomic(number)
    }

    /// The descriptor's number; -1 after `take`.
    ///
    /// Valid while this object is alive. Never use a temporary, as in `f(open(name).number)`: it is closed before `f`
    /// runs.
    package var number: Int32 { storage.load(ordering: .acquiring) }

    /// Hands the descriptor over to the caller, who closes it. Returns nil when it was taken before.
    package func take() -> Int32? {
        let number = storage.exchange(-1, ordering: .acquiringAndReleasing)
        return number < 0 ? nil : number
    }

    deinit {
        let number = storage.load(ordering: .acquiring)
        if number >= 0 { clinux_close(number) }
    }

    /// Opens the same file again for reading, with its own offset and flags.
    ///
    /// - Throws: `FileSystemError`, `.denied` when the file's mode forbids it.
    package static func reopenReadOnly(_ number: Int32) throws -> OpenDescriptor {
        try reopen(number, flags: CLINUX_O_RDONLY | CLINUX_O_NONBLOCK)
    }

    /// Opens the same file again for reading and writing.
    static func reopenForWriting(_ number: Int32) throws -> OpenDescriptor {
        try reopen(number, flags: CLINUX_O_RDWR)
    }

    // O_NONBLOCK has no effect on a regular file, and prevents a FIFO or device from blocking.
    private static func reopen(_ number: Int32, flags: Int32) throws -> OpenDescriptor {
        OpenDescriptor(owning: try checked(clinux_reopen(number, flags), "reopen the file"))
    }
}
