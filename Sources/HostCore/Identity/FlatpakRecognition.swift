import CLinux
import Glibc
import Storage

/// Matches a peer in a sandbox with a running Flatpak instance.
///
/// A file `/.flatpak-info` alone proves nothing: any program can create one in its own mount namespace. The instance
/// must be listed under the same name in the runtime directory, which no Flatpak application can write to, and its
/// first process must be in exactly the peer's namespaces.
struct FlatpakRecognition: Sendable {
    /// Why a peer is not accepted as a Flatpak.
    struct Refusal: Error {
        var reason: String
    }

    /// `$XDG_RUNTIME_DIR`.
    let runtimeDirectory: String

    private static let limit = 64 << 10

    /// The application that the process belongs to.
    ///
    /// - Throws: ``Refusal``.
    func application(_ peer: ProcessDirectory, _ namespaces: ProcessNamespaces) throws(Refusal) -> String {
        let inside = try information(peer)
        let directory = clinux_open(runtimeDirectory + "/.flatpak", CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        guard directory >= 0 else { throw Refusal(reason: "it claims to be a Flatpak, but no Flatpak is running") }
        let instances = OpenDescriptor(owning: directory)
        let place = inside.instance
        guard
            let listed = FlatpakInstance(
                SmallFile.read("\(place)/info", in: instances.number, owner: getuid(), atMost: Self.limit))
        else { throw Refusal(reason: "it claims to be a Flatpak instance that is not running") }
        guard listed == inside else {
            throw Refusal(reason: "it claims to be \(inside.application), but that instance is another application")
        }
        let child = FlatpakInstance.child(
            bwrapInformation: SmallFile.read(
                "\(place)/bwrapinfo.json", in: instances.number, owner: getuid(), atMost: Self.limit))
        guard let child, let first = ProcessDirectory(child)?.namespaces else {
            throw Refusal(reason: "it claims to be a Flatpak instance that has ended")
        }
        guard first.mount == namespaces.mount, first.process == namespaces.process else {
            throw Refusal(reason: "it claims to be \(inside.application), but does not run in that sandbox")
        }
        return inside.application
    }

    // A program that serves the file itself (FUSE) could keep the daemon waiting, and could mount it at any moment. So
    // the file is first only located, which asks no file system except that of the root, and the kernel's mount table
    // says what these very descriptors lie on. Flatpak puts both in memory.
    private func information(_ peer: ProcessDirectory) throws(Refusal) -> FlatpakInstance {
        let unknown = Refusal(reason: "it runs in a sandbox that Docent does not recognise")
        guard let root = peer.root(), let place = peer.mount(of: root), place.isMemory,
            let located = SmallFile.locate(".flatpak-info", in: root),
            let mount = peer.mount(of: located), mount.isMemory, mount.isReadOnly, mount.place == "/.flatpak-info",
            let found = FlatpakInstance(SmallFile.read(located: located, atMost: Self.limit))
        else { throw unknown }
        return found
    }
}
