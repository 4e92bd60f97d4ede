package import DocentInterfaces
import FoundationEssentials
import Glibc
package import Rights
package import Varlink

/// The identity of a peer of the common socket, as the kernel sees it.
package struct RecognisedPeer: Sendable, Hashable {
    /// The client. An unconfined client has no identifier until it states one.
    package var principal: Principal
    /// Path of an unconfined client's executable when it connected, if it could be read.
    package var executable: String?
}

/// Identifies the other end of a connection from what the kernel reports (I2).
///
/// Everything is read through one descriptor of the peer's directory below `/proc`, which never refers to another
/// process. It counts only if the peer's pidfd still refers to that process afterwards. Thread-safe.
package struct PeerIdentity: Sendable {
    private let ownUser: uid_t
    private let own: ProcessNamespaces
    private let flatpak: FlatpakRecognition

    /// Reads the identity of this process.
    ///
    /// - Parameter environment: `XDG_RUNTIME_DIR` says where the running Flatpak instances are listed.
    /// - Throws: ``Failure`` when `/proc` cannot be read.
    package init(environment: [String: String] = [:]) throws(Failure) {
        ownUser = getuid()
        guard let directory = ProcessDirectory(getpid()), let own = directory.namespaces else {
            throw Failure(.unavailable, "The daemon cannot read /proc/self/ns.", suggestion: "Mount /proc.")
        }
        self.own = own
        flatpak = FlatpakRecognition(
            runtimeDirectory: environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? "/run/user/\(ownUser)")
    }

    /// Recognises a peer of the common socket: a process of the same user outside every sandbox, in a Flatpak or in a
    /// Snap.
    ///
    /// - Throws: ``Failure`` `NotPermitted` for any other peer: one of another user, one that cannot be read, or one in
    ///   its own user or mount namespace that is neither. Such a peer is never treated as unconfined.
    package func recognise(_ peer: PeerCredentials) throws(Failure) -> RecognisedPeer {
        guard peer.userIdentifier == ownUser else {
            throw refused("it belongs to user \(peer.userIdentifier)")
        }
        let process = peer.processIdentifier
        guard process > 0 else { throw refused("its process cannot be seen from here") }
        guard let directory = ProcessDirectory(process), let namespaces = directory.namespaces else {
            throw refused("its process cannot be read")
        }
        let found: Result<RecognisedPeer, Failure>
        do throws(Failure) {
            found = .success(try recognise(directory, namespaces, hasDescriptor: peer.processDescriptor != nil))
        } catch { found = .failure(error) }
        // Read first, then check that the process identifier is still the peer's. Results read from another process are
        // discarded, refusals included.
        if let descriptor = peer.processDescriptor, !Self.names(descriptor, process) {
            throw refused("its process has ended")
        }
        return try found.get()
    }

    /// Whether a peer is outside every sandbox, judged by its namespaces. Quick: it never waits for one of the peer's
    /// files.
    package func isUnconfined(_ peer: PeerCredentials) -> Bool {
        guard peer.userIdentifier == ownUser, peer.processIdentifier > 0,
            let directory = ProcessDirectory(peer.processIdentifier), let namespaces = directory.namespaces
        else { return false }
        return isOutside(namespaces) && SnapLabel(directory.text("attr/apparmor/current")) == nil
    }

    private func isOutside(_ namespaces: ProcessNamespaces) -> Bool {
        namespaces.user == own.user && namespaces.mount == own.mount
    }

    private func recognise(
        _ directory: ProcessDirectory, _ namespaces: ProcessNamespaces, hasDescriptor: Bool
    ) throws(Failure) -> RecognisedPeer {
        let label = SnapLabel(directory.text("attr/apparmor/current"))
        // A classic snap is not a sandbox: its label is not enforced, and it is in the common namespaces.
        if label == nil, isOutside(namespaces) {
            return RecognisedPeer(
                principal: Principal(kind: .unconfined, identifier: "unstated"), executable: directory.link("exe"))
        }
        // Only a pidfd proves that the process that was read is the peer itself.
        guard hasDescriptor else { throw refused("this kernel does not report which process in a sandbox it is") }
        if let label {
            guard label.isIn(cgroups: directory.text("cgroup")) else {
                throw refused("its AppArmor label is that of the snap \(label.name), but its cgroup is not")
            }
            return RecognisedPeer(principal: Principal(kind: .snap, identifier: label.name))
        }
        do throws(FlatpakRecognition.Refusal) {
            let application = try flatpak.application(directory, namespaces)
            return RecognisedPeer(principal: Principal(kind: .flatpak, identifier: application))
        } catch {
            throw refused(error.reason)
        }
    }

    private func refused(_ reason: String) -> Failure {
        Failure(
            .notPermitted, "This program may not use Docent: \(reason).",
            suggestion: "Start it with docent run, which gives it a socket of its own, or start it outside its sandbox."
        )
    }

    /// Whether a pidfd still refers to a living process with that identifier.
    private static func names(_ descriptor: CInt, _ process: pid_t) -> Bool {
        ProcessDirectory.information(of: descriptor, "Pid") == "\(process)"
    }
}
