package import DocentInterfaces
import FoundationEssentials
import Glibc
import Isolation
package import Varlink

/// Finds out who is at the other end of a connection, from what the kernel says (I2).
///
/// Thread-safe; reads a few links below `/proc`.
package struct PeerIdentity: Sendable {
    private let ownUser: uid_t
    private let ownUserNamespace: String
    private let ownMountNamespace: String

    /// Reads what this process itself is.
    ///
    /// - Throws: ``Failure`` when `/proc` cannot be read.
    package init() throws(Failure) {
        ownUser = getuid()
        guard let user = Self.link("/proc/self/ns/user"), let mount = Self.link("/proc/self/ns/mnt") else {
            throw Failure(.unavailable, "The daemon cannot read /proc/self/ns.", suggestion: "Mount /proc.")
        }
        ownUserNamespace = user
        ownMountNamespace = mount
    }

    /// What is known of an unconfined peer.
    package struct Unconfined: Sendable {
        /// Path of its executable at the time it connected, if it could be read.
        package var executable: String?
    }

    /// Recognises a peer of the common socket as an unconfined process of the same user.
    ///
    /// - Throws: ``Failure`` with `NotPermitted` for any other peer: another user's, one that cannot be read, one
    ///   in a user or mount namespace of its own. It is never treated as unconfined.
    package func recognise(_ peer: PeerCredentials) throws(Failure) -> Unconfined {
        guard peer.userIdentifier == ownUser else {
            throw refused("it belongs to user \(peer.userIdentifier)")
        }
        let process = peer.processIdentifier
        guard process > 0 else { throw refused("its process cannot be seen from here") }
        guard let user = Self.link("/proc/\(process)/ns/user"), let mount = Self.link("/proc/\(process)/ns/mnt") else {
            throw refused("its process cannot be read")
        }
        let executable = Self.link("/proc/\(process)/exe")
        // Read first, then made sure that the process identifier still is that of the peer.
        if let descriptor = peer.processDescriptor, !Self.names(descriptor, process) {
            throw refused("its process has ended")
        }
        guard user == ownUserNamespace, mount == ownMountNamespace else {
            throw refused("it runs in a sandbox that Docent does not recognise")
        }
        return Unconfined(executable: executable)
    }

    private func refused(_ reason: String) -> Failure {
        Failure(
            .notPermitted, "This program may not use Docent: \(reason).",
            suggestion: "Start it with a socket made for it, or outside its sandbox.")
    }

    private static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Whether a pidfd still stands for a living process of that identifier.
    private static func names(_ descriptor: CInt, _ process: pid_t) -> Bool {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/fdinfo/\(descriptor)")) else { return false }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").contains("Pid:\t\(process)")
    }
}
