package import DocentInterfaces
import Glibc

/// How clients are told apart on this machine, for `docent doctor`. Pure except for ``checks()``.
package enum IdentityCheck {
    /// Checks this machine.
    package static func checks() -> [Wire.Check] {
        [
            descriptors(isThere: hasPeerDescriptors()),
            snaps(isEnforcing: isYes("/sys/module/apparmor/parameters/enabled")),
        ]
    }

    static func descriptors(isThere: Bool) -> Wire.Check {
        isThere
            ? Wire.Check(
                name: "clients", status: "ok",
                detail: "the kernel identifies them by pidfd; Flatpaks by their instance, docent run by its socket")
            : Wire.Check(
                name: "clients", status: "warning",
                detail: "this kernel reports no pidfd for a client: Flatpaks and Snaps are refused, docent run works",
                remedy: "Use Linux 6.5 or newer.")
    }

    static func snaps(isEnforcing: Bool) -> Wire.Check {
        Wire.Check(
            name: "AppArmor", status: "ok",
            detail: isEnforcing
                ? "on; Snaps are recognised by their label"
                : "off; Snaps cannot be recognised and are refused as clients; other clients are not affected")
    }

    private static func hasPeerDescriptors() -> Bool {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return false }
        defer { for end in ends { close(end) } }
        // SO_PEERPIDFD, which the C library's headers may not define yet.
        var descriptor: CInt = -1
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(ends[0], SOL_SOCKET, 77, &descriptor, &length) == 0, descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    // Reads one of the kernel's switches.
    private static func isYes(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 && byte == UInt8(ascii: "Y")
    }
}
