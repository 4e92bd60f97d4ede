import CLinux
import Synchronization

/// An open descriptor with one owner: closed when the last reference goes, unless taken before.
///
/// Shared between threads freely; what one does to the file offset the others see, so Docent uses explicit offsets.
package final class OpenDescriptor: Sendable {
    private let storage: Atomic<Int32>

    /// Takes over a descriptor; the caller must not close it any more.
    package init(owning number: Int32) {
        storage = Atomic(number)
    }

    /// The descriptor's number; -1 after `take`.
    ///
    /// Valid while this object is kept. Never ask a temporary, as in `f(open(name).number)`: it is closed before `f` runs.
    package var number: Int32 { storage.load(ordering: .acquiring) }

    /// Gives the descriptor away; the caller closes it. Returns nil when it was taken before.
    package func take() -> Int32? {
        let number = storage.exchange(-1, ordering: .acquiringAndReleasing)
        return number < 0 ? nil : number
    }

    deinit {
        let number = storage.load(ordering: .acquiring)
        if number >= 0 { clinux_close(number) }
    }

    /// Opens the same file anew for reading, with an offset and flags of its own (F2).
    ///
    /// - Throws: `FileSystemError`, `.denied` when the file's mode forbids it.
    package static func reopenReadOnly(_ number: Int32) throws -> OpenDescriptor {
        try reopen(number, flags: CLINUX_O_RDONLY | CLINUX_O_NONBLOCK)
    }

    /// Opens the same file anew for reading and writing.
    static func reopenForWriting(_ number: Int32) throws -> OpenDescriptor {
        try reopen(number, flags: CLINUX_O_RDWR)
    }

    // O_NONBLOCK does nothing to a regular file and keeps a FIFO or device from hanging the opener.
    private static func reopen(_ number: Int32, flags: Int32) throws -> OpenDescriptor {
        OpenDescriptor(owning: try checked(clinux_reopen(number, flags), "reopen the file"))
    }
}
