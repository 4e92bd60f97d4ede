package import FileSystemMessages
import Glibc

/// Whether a program that uses the mount may do so: only one that sees the same mounts as the view. A sandbox that can
/// see the folder of the mount sees its content too, whatever rights it has.
package struct CallerInspection: Sendable {
    private let own: String?
    private let isForAll: Bool

    /// For the view of an unconfined user.
    package init() {
        own = Self.namespace(of: "self")
        isForAll = false
    }

    private init(isForAll: Bool) {
        own = nil
        self.isForAll = isForAll
    }

    /// For a view of what one confined program was granted, which no other sandbox is shown.
    package static var everyone: CallerInspection { CallerInspection(isForAll: true) }

    /// Whether a caller is not confined. One that cannot be looked at is.
    package func mayUse(_ caller: KernelRequest.Caller) -> Bool {
        guard !isForAll else { return true }
        guard caller.process != 0, let own else { return false }
        return Self.namespace(of: String(caller.process)) == own
    }

    private static func namespace(of process: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = readlink("/proc/\(process)/ns/mnt", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
