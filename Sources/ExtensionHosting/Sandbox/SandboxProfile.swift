package import ExtensionManifest
import Glibc
import Rights

/// Everything that one extension's sandbox grants: the base profile, the entitlements, the document group's container,
/// and nothing else (S1, S2). A value; pure functions derive the arguments.
package struct SandboxProfile: Sendable, Hashable {
    /// Path of `docent-extension-host`.
    package var hostProgram: String
    /// Path of the plugin.
    package var library: String
    /// The provider's own directory for its library and related files; nil when the library lies among others.
    package var libraryDirectory: String?
    /// The files beside the plugin that it may load: everything in ``libraryDirectory``, or the shared libraries there.
    package var companionLibraries: [String] = []
    /// Directory of the Swift runtime that the plugin needs, even if the daemon itself is linked statically.
    package var swiftRuntime: String?
    /// Whether the loader must be given ``swiftRuntime``, because the plugin was built with the runtime elsewhere.
    package var isRuntimeNamed = false
    /// The document group's container, always writable.
    package var container: String
    /// Folders that the entitlements and the domains name. Missing ones are omitted.
    package var readWrite: [String] = []
    package var readOnly: [String] = []
    /// Folders that other providers may write: links in them are not followed when this sandbox is made.
    package var writableByOthers: [String] = []
    /// Whether it has the network entitlement.
    package var network = false
    /// Absolute paths of the programs that may be started (`org.docent.spawn`).
    package var spawn: [String] = []
    /// Whether it gets one listening socket on 127.0.0.1 (`org.docent.loopback-listener`).
    package var loopbackListener = false
    /// Whether the user agreed to run it without a sandbox.
    package var isUnsandboxed = false
    /// Whether ``ExtensionProcess/attempts`` reports what it tried beyond the sandbox. For the validator: it costs
    /// time.
    package var watchesAttempts = false
    /// Its limits; nil for those of the user.
    package var limits: ProviderLimits?
    /// The user's home, as in `HOME`. The variable is set inside, but the sandbox does not show the folder.
    package var home: String
    /// The user's documents folder, if an entitlement names it; a variable names it inside.
    package var documents: String?
    /// Environment of the daemon, from which locale, time zone and, with the network, proxies are taken.
    package var locale: [String: String] = [:]

    package init(hostProgram: String, library: String, container: String, home: String) {
        self.hostProgram = hostProgram
        self.library = library
        self.container = container
        self.home = home
    }

    /// Path of the host program inside.
    package static let hostInside = "/run/docent-extension-host"
    private static let proxyVariables: Set = [
        "ALL_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy",
    ]

    /// The complete environment inside. The host removes all other variables once more.
    package var environment: [String: String] {
        var result = locale.filter { key, _ in
            ["LANG", "LANGUAGE", "TZ"].contains(key) || key.hasPrefix("LC_")
                || network && Self.proxyVariables.contains(key)
        }
        result["PATH"] = "/usr/bin:/bin"
        result["HOME"] = home
        result[UserFolders.documentsVariable] = documents
        result["TMPDIR"] = "/tmp"
        // The daemon reports crashes; the backtracer could not start here.
        result["SWIFT_BACKTRACE"] = "enable=no"
        // The host's loader uses it at the start and the host then removes it: programs that the plugin starts do not
        // have it.
        if isRuntimeNamed, let swiftRuntime { result["LD_LIBRARY_PATH"] = swiftRuntime }
        return result
    }

    /// The user's folders that the sandbox shows, mounted by their descriptors.
    ///
    /// Folders inside a writable one are visible anyway. A separate mount would need a mount point in that folder, and
    /// the extension may have put a link there.
    package var folders: [String] {
        (readOnly + readWrite).filter { path in !readWrite.contains { path.begins(with: $0 + "/") } }
    }

    /// Paths that the sandbox shows, outer ones first.
    package func mounts(system: SystemLayout) -> [SandboxMount] {
        let own = Set(folders)
        let readable =
            (libraryDirectory.map { [$0] } ?? companionLibraries) + [swiftRuntime].compactMap { $0 }
            + readOnly.filter(own.contains) + spawn
        return SandboxMount.ordered(
            BaseProfile.mounts(network: network, system: system)
                + [
                    SandboxMount(path: library, isRequired: true),
                    SandboxMount(path: container, isWritable: true, isRequired: true),
                ]
                + readable.map { SandboxMount(path: $0) }
                + readWrite.filter(own.contains).map { SandboxMount(path: $0, isWritable: true) })
    }

    /// Arguments of the extension host itself.
    ///
    /// - Parameters:
    ///   - socket: the number of the extension's socket in the new process.
    ///   - lifeline: the number of the host's end of the lifeline there.
    package func hostArguments(socket: Int32, lifeline: Int32, system: SystemLayout) -> [String] {
        var arguments = ["--library", library, "--socket", String(socket), "--lifeline", String(lifeline)]
        if network { arguments.append("--network") }
        if loopbackListener { arguments.append("--loopback-listener") }
        if let limits {
            arguments += ["--memory", String(limits.memory), "--processes", String(limits.processes)]
            let nice = Self.nice(weight: limits.processorWeight)
            if nice > 0 { arguments += ["--nice", String(nice)] }
        }
        if isUnsandboxed { return arguments + ["--unsandboxed"] }
        // Replacing a user's file in place preserves its mode (W); a container needs no modes.
        if !readWrite.isEmpty { arguments.append("--change-modes") }
        for mount in mounts(system: system) where !mount.isEmpty {
            arguments += [mount.isWritable ? "--read-write" : "--read-only", mount.path]
        }
        arguments += ["--read-write", "/tmp"]
        for path in spawn { arguments += ["--spawn", path] }
        if watchesAttempts { arguments.append("--watch") }
        return arguments
    }

    /// The nice value that gives a process this weight beside others with 100: each step changes it by a quarter.
    static func nice(weight: Int) -> Int {
        min(19, max(0, Int((log(100 / Double(max(1, weight))) / log(1.25)).rounded())))
    }

    /// Arguments of bubblewrap; the host's own follow `--`. There is no parent-death signal, which would depend on a
    /// thread (S5): the host is process 1 inside, watches the lifeline, and all other processes end with it.
    ///
    /// - Parameter folders: the existing ones of ``folders``, with their numbers in bubblewrap; nil mounts by path.
    package func bubblewrapArguments(
        socket: Int32, lifeline: Int32, folders: [String: Int32?], system: SystemLayout
    ) -> [String] {
        var arguments = [
            "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", "--as-pid-1",
            "--new-session", "--cap-drop", "ALL", "--hostname", "docent",
        ]
        if !network { arguments.append("--unshare-net") }
        arguments += ["--tmpfs", "/dev"]
        for device in BaseProfile.devices { arguments += ["--dev-bind", device, device] }
        arguments += ["--symlink", "/proc/self/fd", "/dev/fd", "--remount-ro", "/dev", "--proc", "/proc"]
        // Without `dev-`, so that it cannot even be opened.
        arguments += system.keyLists.flatMap { ["--ro-bind", "/dev/null", $0] }
        arguments += ["--perms", "1777", "--size", String(BaseProfile.temporarySize), "--tmpfs", "/tmp"]
        arguments += BaseProfile.links(network: network, system: system)
        let named = Set(self.folders)
        for mount in mounts(system: system) where !named.contains(mount.path) || folders.keys.contains(mount.path) {
            arguments += mount.arguments(descriptor: folders[mount.path] ?? nil)
        }
        arguments += system.providerFolders.flatMap { ["--remount-ro", $0] }
        arguments += ["--ro-bind", hostProgram, Self.hostInside, "--remount-ro", "/", "--chdir", "/tmp", "--clearenv"]
        for (key, value) in environment.sorted(by: { $0.key < $1.key }) { arguments += ["--setenv", key, value] }
        return arguments + ["--", Self.hostInside]
            + hostArguments(socket: socket, lifeline: lifeline, system: system)
    }
}
