import ExtensionManifest
import Testing

@testable import ExtensionHosting

@Suite("The sandbox profile")
struct SandboxProfileTests {
    static let system = SystemLayout(
        links: ["/lib": "usr/lib", "/etc/resolv.conf": "/run/resolve/stub.conf"], folders: ["/lib64"],
        resolverFolder: "/run/resolve", keyLists: ["/proc/keys"])

    static func profile() -> SandboxProfile {
        SandboxProfile(
            hostProgram: "/opt/host", library: "/p/lib x\n.so", container: "/home/u/Groups/ü", home: "/home/u")
    }

    static func arguments(_ profile: SandboxProfile, folders: [String: Int32?]? = nil) -> [String] {
        profile.bubblewrapArguments(
            socket: 3, lifeline: 4, folders: folders ?? Dictionary(profile.folders.map { ($0, nil) }) { one, _ in one },
            system: system)
    }

    static func follows(_ arguments: [String], _ sequence: [String]) -> Bool {
        arguments.indices.contains { arguments[$0...].starts(with: sequence) }
    }

    @Test("S1: every sandbox has its own namespaces", arguments: ["user", "ipc", "pid", "uts", "net"])
    func namespaces(_ name: String) {
        #expect(Self.arguments(Self.profile()).contains("--unshare-\(name)"))
    }

    @Test("S1: only the network entitlement shares the network and exposes the resolver's files")
    func network() {
        var profile = Self.profile()
        #expect(!Self.arguments(profile).contains { $0.contains("resolv") || $0 == "/etc/hosts" || $0 == "--network" })
        profile.network = true
        let arguments = Self.arguments(profile)
        #expect(!arguments.contains("--unshare-net"))
        #expect(arguments.contains("--network"))
        #expect(Self.follows(arguments, ["--symlink", "/run/resolve/stub.conf", "/etc/resolv.conf"]))
        #expect(Self.follows(arguments, ["--ro-bind-try", "/run/resolve", "/run/resolve"]))
        #expect(!Self.follows(arguments, ["--ro-bind-try", "/etc/resolv.conf"]))
    }

    @Test("S2: the list of the user's keys cannot be opened, where the kernel has one")
    func keyLists() {
        let arguments = Self.arguments(Self.profile())
        #expect(Self.follows(arguments, ["--ro-bind", "/dev/null", "/proc/keys"]))
        #expect(!arguments.contains("/proc/key-users"))
    }

    @Test("S5: no parent-death signal")
    func noParentDeath() {
        #expect(!Self.arguments(Self.profile()).contains("--die-with-parent"))
    }

    @Test("Paths with spaces, newlines and other scripts are passed unchanged")
    func oddPaths() {
        let arguments = Self.arguments(Self.profile())
        #expect(Self.follows(arguments, ["--ro-bind", "/p/lib x\n.so", "/p/lib x\n.so"]))
        #expect(Self.follows(arguments, ["--bind", "/home/u/Groups/ü", "/home/u/Groups/ü"]))
        #expect(Self.follows(arguments, ["--library", "/p/lib x\n.so"]))
        #expect(Self.follows(arguments, ["--read-write", "/home/u/Groups/ü"]))
    }

    @Test("a sandbox shows only its own provider's library folder, read-only")
    func providerFolders() throws {
        var profile = Self.profile()
        let folder = "/usr/lib/docent/providers"
        profile.library = folder + "/org.example.A/libA.so"
        profile.libraryDirectory = folder + "/org.example.A"
        profile.companionLibraries = [folder + "/org.example.A/libprivate.so.1"]
        let system = SystemLayout(providerFolders: [folder, "/usr/local/lib/docent/providers"])
        let arguments = profile.bubblewrapArguments(socket: 3, lifeline: 4, folders: [:], system: system)
        let outer = try #require(arguments.firstIndex(of: "/usr/lib"))
        let hidden = try #require(arguments.firstIndex(of: folder))
        let own = try #require(arguments.firstIndex(of: folder + "/org.example.A"))
        #expect(outer < hidden && hidden < own)
        #expect(arguments[hidden - 1] == "--tmpfs" && arguments[own - 1] == "--ro-bind-try")
        #expect(Self.follows(arguments, ["--tmpfs", "/usr/local/lib/docent/providers"]))
        #expect(Self.follows(arguments, ["--remount-ro", folder]))
        // The whole directory is mounted: no file in it needs its own mount.
        #expect(!arguments.contains { $0.hasSuffix("libprivate.so.1") })
        let rules = profile.hostArguments(socket: 3, lifeline: 4, system: system)
        #expect(!rules.contains(folder) && Self.follows(rules, ["--read-only", folder + "/org.example.A"]))
    }

    @Test("S2: only named folders of the user are visible")
    func noUserData() {
        let shown = Self.profile().mounts(system: Self.system).map(\.path)
        let users = shown.filter { $0.hasPrefix("/home") || $0.hasPrefix("/run") || $0.hasPrefix("/root") || $0 == "/" }
        #expect(users == ["/home/u/Groups/ü"])
        #expect(!shown.contains("/usr") && !shown.contains("/etc") && !shown.contains("/usr/bin"))
    }

    @Test("Outer folders are mounted before inner ones, and a container in a read-only folder stays writable")
    func order() {
        var profile = Self.profile()
        profile.readOnly = ["/home/u/Groups", "/home/u/Groups/ü/deep"]
        let mounts = profile.mounts(system: Self.system)
        let home = mounts.filter { $0.path.hasPrefix("/home") }
        #expect(home.map(\.path) == ["/home/u/Groups", "/home/u/Groups/ü", "/home/u/Groups/ü/deep"])
        #expect(home.map(\.isWritable) == [false, true, false])
        #expect(home.map(\.isRequired) == [false, true, false])
    }

    @Test("Nothing is mounted in a folder that the extension can write, where it may have placed a link")
    func nested() {
        var profile = Self.profile()
        profile.readWrite = ["/home/u/Docs", "/home/u/Docs/domain", "/home/u/Docs2"]
        profile.readOnly = ["/home/u/Docs/read", "/home/u/Read", "/home/u"]
        #expect(Set(profile.folders) == ["/home/u/Docs", "/home/u/Docs2", "/home/u/Read", "/home/u"])
        let mounted = Set(profile.mounts(system: Self.system).map(\.path))
        #expect(mounted.isDisjoint(with: ["/home/u/Docs/domain", "/home/u/Docs/read"]))
        #expect(mounted.isSuperset(of: profile.folders))
    }

    @Test("User folders are mounted through their descriptors, and a missing one is left out")
    func foldersByDescriptor() {
        var profile = Self.profile()
        profile.readOnly = ["/srv/read"]
        profile.readWrite = ["/srv/write", "/srv/none"]
        let arguments = Self.arguments(profile, folders: ["/srv/read": 5, "/srv/write": 6])
        #expect(Self.follows(arguments, ["--ro-bind-fd", "5", "/srv/read"]))
        #expect(Self.follows(arguments, ["--bind-fd", "6", "/srv/write"]))
        #expect(!Self.follows(arguments, ["--bind-try", "/srv/none"]))
    }

    @Test("S1: the environment is an allow-list")
    func environment() {
        var profile = Self.profile()
        profile.locale = [
            "LANG": "de_DE.UTF-8", "LC_TIME": "C", "LD_PRELOAD": "/x", "SSH_AUTH_SOCK": "/y", "https_proxy": "z",
        ]
        #expect(Set(profile.environment.keys) == ["LANG", "LC_TIME", "PATH", "HOME", "TMPDIR", "SWIFT_BACKTRACE"])
        #expect(profile.environment["SWIFT_BACKTRACE"] == "enable=no")
        profile.network = true
        #expect(profile.environment["https_proxy"] == "z")
        #expect(Self.arguments(profile).contains("--clearenv"))
    }

    @Test("Only a provider with user folders may change modes there")
    func modes() {
        var profile = Self.profile()
        #expect(!Self.arguments(profile).contains("--change-modes"))
        profile.readWrite = ["/srv"]
        #expect(Self.arguments(profile).contains("--change-modes"))
    }

    @Test("Without a sandbox no rule is passed")
    func unsandboxed() {
        var profile = Self.profile()
        profile.isUnsandboxed = true
        #expect(
            profile.hostArguments(socket: 7, lifeline: 8, system: Self.system) == [
                "--library", "/p/lib x\n.so", "--socket", "7", "--lifeline", "8", "--unsandboxed",
            ])
    }

    @Test(
        "The supervisor's report takes precedence over the status",
        arguments: [
            ("sandboxed 7\nexited 139\n", ExtensionExit.exited(139), ExtensionExit.exited(139)),
            ("sandboxed 7\nsignalled 11\n", .exited(139), .signalled(11)), ("sandboxed 0\n", .exited(0), .exited(0)),
            ("", .exited(1), .exited(5)), ("", .exited(5), .exited(5)), ("", .signalled(9), .signalled(9)),
            ("sandboxed 7\n", .exited(137), .signalled(9)), ("sandboxed 7\n", .exited(1), .exited(1)),
            ("exited many\n", .exited(3), .exited(3)),
            // The status is that of the kill; the reason is the watch's, which knows the limit.
            ("sandboxed 7\nexceeded memory\n", .exited(137), .signalled(9)),
        ])
    func judgement(_ text: String, _ status: ExtensionExit, _ expected: ExtensionExit) {
        var report = LifelineReport()
        for byte in text.utf8 { report.append(CollectionOfOne(byte)) }
        #expect(report.judge(status, isSandboxed: true) == expected)
    }

    @Test("An exceeded limit is reported by kind, and nothing else is mistaken for one")
    func exceeded() {
        var report = LifelineReport()
        report.append("sandboxed 7\nexceeded everything\n".utf8)
        #expect(report.exceeded == nil)
        report = LifelineReport()
        report.append("sandboxed 7\nexceeded memory\n".utf8)
        #expect(report.exceeded == .memory)
    }

    @Test("The limits are passed to the host process, with or without a sandbox", arguments: [false, true])
    func limits(_ isUnsandboxed: Bool) {
        var profile = Self.profile()
        profile.isUnsandboxed = isUnsandboxed
        profile.limits = ProviderLimits()
        let arguments = profile.hostArguments(socket: 7, lifeline: 8, system: Self.system)
        #expect(Self.follows(arguments, ["--memory", "1073741824", "--processes", "256", "--nice", "3"]))
        profile.limits?.processorWeight = 100
        #expect(!profile.hostArguments(socket: 7, lifeline: 8, system: Self.system).contains("--nice"))
    }

    @Test(
        "A weight becomes the priority with about that share",
        arguments: [(100, 0), (80, 1), (50, 3), (10, 10), (1, 19)])
    func nice(_ weight: Int, _ expected: Int) { #expect(SandboxProfile.nice(weight: weight) == expected) }

    @Test("The kernel reports who wrote on the lifeline: the supervisor and the plugin's own process")
    func senders() {
        var report = LifelineReport()
        report.append("supervised\n".utf8, from: 10)
        report.append("sandboxed 7\n".utf8, from: 11)
        report.append("signalled 9\n".utf8, from: 10)
        #expect(report.supervisor == 10 && report.plugin == 11)
        #expect(report.exit == .signalled(9))
    }
}
