/// bubblewrap's arguments for a client's sandbox. Pure.
extension ClientSandboxProfile {
    /// The options in bubblewrap's order, each mount after those that it lies on.
    package var options: [String] {
        var options = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
        if closesNamespaces { options.append("--disable-userns") }
        if !allowances.contains(.network) { options.append("--unshare-net") }
        // All processes of the namespace end with its process 1; bubblewrap ends with the thread that started it (S5).
        options += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", "docent"]
        // The user's terminal never reaches the program, which has none or its own. Nothing can be injected into the
        // user's terminal (TIOCSTI).
        if !hasTerminal { options.append("--new-session") }
        options += system.options(network: allowances.contains(.network))
        options += ["--proc", "/proc", "--dev", "/dev"]
        // Without `dev-`, so that they cannot even be opened.
        options += system.shownKeyLists.flatMap { ClientMount("/dev/null", at: $0).options }
        for folder in ["/tmp", "/var/tmp"] { options += ["--perms", "1777", "--tmpfs", folder] }
        options += ["--perms", "0755", "--tmpfs", "/run", "--perms", "0700", "--dir", runtime]
        options += accounts.sorted { $0.key < $1.key }.flatMap { ClientMount($0.value, at: $0.key).options }
        options += ClientMount(homeFolder, at: home, isWritable: true).options
        options += ClientMount(socketFolder, at: runtime + "/docent").options
        options += mounts.flatMap(\.options)
        // Its own files say what may be written.
        if let viewFolder { options += ClientMount(viewFolder, at: shownFolder, isWritable: true).options }
        if !documents.isEmpty {
            // Not in the home, where the client could put a link in its place for the next run. In memory and
            // read-only: anything saved beside a document would be lost.
            options += ["--perms", "0755", "--tmpfs", grantedFolder] + documents.flatMap(\.options)
            options += ["--remount-ro", grantedFolder]
        }
        options += ["--chdir", home, "--remount-ro", "/", "--clearenv"]
        options += environment.sorted { $0.key < $1.key }.flatMap { ["--setenv", $0.key, $0.value] }
        return options
    }
}
