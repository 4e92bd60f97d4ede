import Testing

@testable import ClientRunning

@Suite struct ClientSandboxProfileTests {
    static let system = SystemTree(
        folders: ["/usr", "/opt"], links: ["/bin": "usr/bin", "/lib": "usr/lib"],
        present: ["/etc/localtime", "/etc/ssl/certs", "/etc/resolv.conf", "/etc/hosts"], shownKeyLists: ["/proc/keys"])

    static func profile(_ change: (inout ClientSandboxProfile) -> Void = { _ in }) -> ClientSandboxProfile {
        var profile = ClientSandboxProfile(
            system: system, home: "/home/ada", homeFolder: "/data/Clients/x/home", runtime: "/run/user/1000",
            socketFolder: "/run/user/1000/docent/c-1", accounts: ["/etc/passwd": "/data/passwd"],
            environment: ["HOME": "/home/ada", "DOCENT_SOCKET": "/run/user/1000/docent/docent.sock"])
        change(&profile)
        return profile
    }

    /// All mounts: option, source (if any), target.
    static func mounts(_ options: [String]) -> [(option: String, source: String?, target: String)] {
        var result: [(String, String?, String)] = []
        for (index, option) in options.enumerated() {
            switch option {
            case "--bind", "--ro-bind", "--symlink":
                result.append((option, options[index + 1], options[index + 2]))
            case "--tmpfs", "--proc", "--dev", "--dir": result.append((option, nil, options[index + 1]))
            default: break
            }
        }
        return result
    }

    @Test(
        "S6: every sandbox has its own namespaces, session and environment, no capability, and ends with its starter",
        arguments: [[], ClientAllowance.allCases])
    func always(allowances: [ClientAllowance]) {
        let options = Self.profile { $0.allowances = Set(allowances) }.options
        for option in [
            "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--die-with-parent", "--new-session",
            "--clearenv", "--remount-ro",
        ] {
            #expect(options.contains(option), "\(option)")
        }
        #expect(options.firstRange(of: ["--cap-drop", "ALL"]) != nil)
        #expect(!options.contains { $0.hasPrefix("--dev-bind") }, "a device could be written to")
    }

    @Test("S6: the network is off unless it is allowed, and its configuration is hidden")
    func network() {
        let closed = Self.profile().options
        #expect(closed.contains("--unshare-net"))
        #expect(!closed.contains("/etc/resolv.conf"))
        let open = Self.profile { $0.allowances = [.network] }.options
        #expect(!open.contains("--unshare-net"))
        #expect(open.contains("/etc/resolv.conf"))
    }

    @Test("Further user namespaces are forbidden if bubblewrap supports it")
    func namespaces() {
        #expect(Self.profile { $0.closesNamespaces = true }.options.contains("--disable-userns"))
        #expect(!Self.profile().options.contains("--disable-userns"))
    }

    @Test("S6: only the client's own home is writable, and documents that are passed for writing")
    func writable() {
        let document = ClientMount("/data/run/1", at: "/run/user/1000/granted/1", isWritable: true)
        let options = Self.profile { $0.documents = [document] }.options
        let writable = Self.mounts(options).filter { $0.option == "--bind" }
        #expect(writable.map(\.target) == ["/home/ada", "/run/user/1000/granted/1"])
        #expect(writable.map(\.source) == ["/data/Clients/x/home", "/data/run/1"])
    }

    @Test("S6: neither the real home nor the runtime directory is visible, whatever is allowed")
    func userData() {
        let options = Self.profile { $0.allowances = Set(ClientAllowance.allCases) }.options
        let sources = Self.mounts(options).compactMap { $0.option == "--symlink" ? nil : $0.source }
        for forbidden in [
            "/", "/home", "/home/ada", "/run", "/run/user", "/run/user/1000", "/run/user/1000/docent", "/data",
        ] {
            #expect(!sources.contains(forbidden), "\(forbidden)")
        }
    }

    @Test("S6: each mount comes after the one that contains it")
    func order() {
        let options = Self.profile {
            $0.documents = [ClientMount("/data/run/1", at: "/run/user/1000/granted/1/a.txt")]
            $0.mounts = [ClientMount("/home/ada/bin/tool"), ClientMount("/x/bus", at: "/run/user/1000/bus")]
        }.options
        let targets = Self.mounts(options).map(\.target)
        for (index, target) in targets.enumerated() {
            #expect(!targets[..<index].contains { $0.hasPrefix(target + "/") }, "\(target)")
        }
        let last = options.lastIndex(of: "--remount-ro")
        #expect(last.map { options[$0 + 1] } == "/", "the root is closed once all is in place")
    }

    @Test("S6: passed documents lie in a closed folder in memory; without documents the folder is missing")
    func grantedFolder() {
        #expect(!Self.profile().options.contains("/run/user/1000/granted"))
        let options = Self.profile {
            $0.documents = [ClientMount("/data/run/1", at: "/run/user/1000/granted/1/a.txt")]
        }
        .options
        #expect(options.firstRange(of: ["--tmpfs", "/run/user/1000/granted"]) != nil)
        #expect(options.firstRange(of: ["--ro-bind", "/data/run/1", "/run/user/1000/granted/1/a.txt"]) != nil)
        #expect(options.firstRange(of: ["--remount-ro", "/run/user/1000/granted"]) != nil)
    }

    @Test("S6: documents are not placed in the home, which the client can change for its next run")
    func grantedElsewhere() {
        let profile = Self.profile()
        #expect(!profile.grantedFolder.hasPrefix(profile.home + "/"))
    }

    @Test("S6: the list of the user's keys cannot be opened, where the kernel has one")
    func keyLists() throws {
        let options = Self.profile().options
        let proc = try #require(options.firstRange(of: ["--proc", "/proc"]))
        let keys = try #require(options.firstRange(of: ["--ro-bind", "/dev/null", "/proc/keys"]))
        #expect(proc.lowerBound < keys.lowerBound)
        #expect(!options.contains("/proc/key-users"), "this system has no such file to mount over")
    }

    @Test(
        "Targets are plain paths",
        arguments: [("/a/./b//c/", "/a/b/c"), ("/a/x/../b", "/a/b"), ("/../..", "/"), ("/a", "/a")])
    func plainTargets(path: String, target: String) { #expect(ClientMount("/s", at: path).target == target) }

    @Test("S6: with a terminal of its own the sandbox starts no new session")
    func terminal() {
        #expect(!Self.profile { $0.hasTerminal = true }.options.contains("--new-session"))
    }

    @Test("S6: secrets in /etc are not visible, by name or through a folder above them")
    func settings() {
        let shown = SystemTree.settings + SystemTree.networkSettings
        for secret in [
            "/etc", "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl", "/etc/ssl/private", "/etc/ssh",
            "/etc/pki",
            "/etc/pki/tls", "/etc/passwd", "/etc/machine-id", "/etc/krb5.keytab", "/etc/NetworkManager", "/etc/fstab",
        ] {
            #expect(!shown.contains { $0 == secret || secret.hasPrefix($0 + "/") }, "\(secret)")
        }
    }

    @Test(
        "Mounts that the system part already covers are known, and not repeated",
        arguments: [
            ("/usr/bin/vi", true), ("/bin/sh", true), ("/opt/x", true), ("/usr", true), ("/usrlocal/x", false),
            ("/home/ada/bin/vi", false), ("/", false),
        ])
    func shows(path: String, isShown: Bool) { #expect(Self.system.shows(path) == isShown) }

    @Test("what was granted is shown as files outside the home, and only if that is wanted")
    func view() {
        #expect(!Self.profile().options.contains("/run/user/1000/documents"))
        let options = Self.profile { $0.viewFolder = "/run/user/1000/docent/v-1/documents" }.options
        let bind = ["--bind", "/run/user/1000/docent/v-1/documents", "/run/user/1000/documents"]
        #expect(options.firstRange(of: bind) != nil)
        let runtime = options.firstRange(of: ["--dir", "/run/user/1000"])
        #expect(
            runtime.flatMap { range in options.firstRange(of: bind).map { $0.lowerBound > range.lowerBound } } == true)
    }

    @Test("This machine has system folders to show")
    func current() {
        let system = SystemTree.current()
        #expect(system.shows("/usr/bin/env"))
        #expect(system.shows("/bin/sh"))
    }
}
