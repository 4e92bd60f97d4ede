import CLinux
package import DocentInterfaces
import Glibc
import ProcessLaunching
import Synchronization

/// Which layers of the sandbox this machine has, for `docent doctor` and for refusals with an explanation.
package enum SandboxProbe {
    /// Path of bubblewrap.
    package static let bubblewrap: String =
        ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"].first { access($0, X_OK) == 0 } ?? "/usr/bin/bwrap"

    private static let known = Mutex<[Wire.Check]?>(nil)

    /// One check for each layer. The first call starts a process and blocks for some milliseconds; later ones return
    /// its result, unless something was missing.
    package static func checks() -> [Wire.Check] {
        if let cached = known.withLock({ $0 }) { return cached }
        let result = [bubblewrapCheck(), landlockCheck(version: Int(clinux_landlock_version())), seccompCheck()]
        if result.allSatisfy({ $0.status != "error" }) { known.withLock { $0 = result } }
        return result
    }

    /// Closes a real sandbox with the host program and reports the result: the same steps as for an extension, up to
    /// the moment before its library would be loaded.
    package static func rehearse(hostProgram: String, container: String) async -> Wire.Check {
        var profile = SandboxProfile(hostProgram: hostProgram, library: hostProgram, container: container, home: "/")
        profile.locale = [:]
        do {
            let process = try ExtensionProcess.start(profile, isCheck: true)
            let exit = await process.waitForExit()
            if exit == .exited(0), let version = process.landlockVersion {
                return Wire.Check(name: "sandbox", status: "ok", detail: "works; Landlock version \(version) inside")
            }
            return Wire.Check(
                name: "sandbox", status: "error", detail: "the extension host \(exit): \(process.errorText)",
                remedy: "See the checks of the individual layers.")
        } catch {
            return Wire.Check(
                name: "sandbox", status: "error", detail: error.message, remedy: "Install bubblewrap and Docent again.")
        }
    }

    static func landlockCheck(version: Int) -> Wire.Check {
        switch version {
        case 6...:
            Wire.Check(name: "Landlock", status: "ok", detail: "version \(version), with scoping")
        case 1...:
            Wire.Check(
                name: "Landlock", status: "ok", detail: "version \(version), without scoping (needs Linux 6.12)")
        default:
            Wire.Check(
                name: "Landlock", status: "warning",
                detail: "this kernel has none; namespaces and seccomp still protect",
                remedy: "Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK adds a layer.")
        }
    }

    private static func seccompCheck() -> Wire.Check {
        clinux_has_seccomp() == 1
            ? Wire.Check(name: "seccomp", status: "ok", detail: "system call filters work")
            : Wire.Check(
                name: "seccomp", status: "error", detail: "this kernel does not support system call filters",
                remedy: "Use a kernel with CONFIG_SECCOMP_FILTER. Providers do not start without it.")
    }

    private static func bubblewrapCheck() -> Wire.Check {
        guard access(bubblewrap, X_OK) == 0 else {
            return Wire.Check(
                name: "bubblewrap", status: "error", detail: "bwrap is not installed",
                remedy: "apt install bubblewrap. Providers do not start without it.")
        }
        guard succeeds(["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc"])
        else {
            return Wire.Check(
                name: "bubblewrap", status: "error", detail: "bwrap cannot create namespaces for this user",
                remedy: "Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, "
                    + "user.max_user_namespaces above 0, or an AppArmor profile for bwrap.")
        }
        return Wire.Check(name: "bubblewrap", status: "ok", detail: "user, pid and net namespaces work")
    }

    /// Whether bubblewrap can mount a folder by its descriptor. The first use starts a process.
    static let mountsDescriptors: Bool = {
        let root = clinux_open("/", CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
        guard root >= 0 else { return false }
        defer { close(root) }
        return succeeds(["--unshare-user", "--ro-bind", "/", "/", "--ro-bind-fd", "3", "/tmp"], [root])
    }()

    private static func succeeds(_ options: [String], _ descriptors: [CInt] = []) -> Bool {
        var launch = ProgramLaunch(
            bubblewrap, options + ["--", "/bin/true"], environment: .exactly([:]),
            descriptors: [.null, .null, .null] + descriptors.map { .copy($0) })
        launch.startsSession = true
        var status: CInt = 0
        guard let process = try? launch.start() else { return false }
        return clinux_wait(process, &status) >= 0 && status == 0
    }
}
