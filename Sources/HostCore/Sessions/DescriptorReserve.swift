import CLinux
package import DocentInterfaces
import Glibc

/// The tenth of the daemon's descriptors that is reserved for administration.
///
/// It needs no counter: the kernel gives the lowest free number, so a new descriptor's number says how many are open.
/// Thread-safe.
package struct DescriptorReserve: Sendable {
    /// The first number in the reserve.
    package let threshold: CInt

    /// - Parameter limit: how many descriptors the process may have; the limit of this process by default.
    package init(limit: Int = Self.processLimit) {
        let most = min(limit, Int(CInt.max))
        threshold = CInt(most - max(1, most / 10))
    }

    /// Whether a new descriptor with this number belongs to the reserve.
    package func holds(_ descriptor: CInt) -> Bool { descriptor >= threshold }

    /// Whether the next descriptor would belong to the reserve, or none is left.
    package var isReached: Bool {
        let next = clinux_dup(0)
        // The reason matters: without a standard input, the failure says nothing about the limit.
        guard next >= 0 else { return next == -EMFILE || next == -ENFILE }
        clinux_close(next)
        return holds(next)
    }

    /// Admits a call.
    ///
    /// - Throws: ``Failure`` `Unavailable` for a call that may need descriptors, while only the reserve is left.
    package func admit(_ method: String) throws(Failure) {
        guard Self.needsDescriptors(method), isReached else { return }
        throw Failure(
            .unavailable, "The daemon has too many files open; the rest are reserved for administration.",
            suggestion: "Close documents and programs that use Docent, then try again.")
    }

    /// Whether a method of a client interface may need descriptors of the daemon. Administration, and methods that
    /// begin, look up or end something, are always admitted.
    package static func needsDescriptors(_ method: String) -> Bool {
        let free = DocumentsInterface.name + "."
        guard method.hasPrefix(free) else { return method.hasPrefix(PickerInterface.name + ".") }
        return !endings.contains(String(method.dropFirst(free.count)))
    }

    private static let endings: Set = [
        "OpenSession", "JoinSession", "ReleaseLease", "StopAccessing", "Cancel", "Outcome", "CommitWrite",
        "AbandonWrite", "MoveFinished", "ReleaseClaim", "AnswerPresenter", "DidMove",
    ]

    /// The current limit of this process.
    package static var processLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(min(limit.rlim_cur, rlim_t(CInt.max)))
    }
}
