/// What a client's sandbox has in addition to the system, which it sees read-only (S6). A value; ``options`` are
/// bubblewrap's arguments.
package struct ClientSandboxProfile: Hashable, Sendable {
    /// What the sandbox shows of the system.
    package var system: SystemTree
    /// The path of the home inside: the user's own.
    package var home: String
    /// The folder of this machine that is the client's private home.
    package var homeFolder: String
    /// The path of the runtime directory inside.
    package var runtime: String
    /// The folder of this machine with the client's socket, `docent.sock`, and the mark of a stopped daemon.
    package var socketFolder: String
    /// Files that replace `/etc/passwd` and `/etc/group`. They name only this user and `nobody`.
    package var accounts: [String: String]
    /// What else is shown: the program, and allowed sockets. In this order, and none of it in the home.
    package var mounts: [ClientMount]
    /// The documents that are passed, each below ``grantedFolder``.
    package var documents: [ClientMount]
    /// The folder of this machine with what was granted, as files; nil for none. The sandbox has it as
    /// ``shownFolder``.
    package var viewFolder: String?
    package var allowances: Set<ClientAllowance>
    /// The whole environment inside.
    package var environment: [String: String]
    /// Whether the sandbox gets its own terminal, which becomes the controlling terminal of the program's session.
    package var hasTerminal: Bool
    /// Whether bubblewrap refuses further user namespaces inside. They grant no rights, but expose more of the kernel
    /// to attack.
    package var closesNamespaces: Bool

    package init(
        system: SystemTree, home: String, homeFolder: String, runtime: String, socketFolder: String,
        accounts: [String: String] = [:], mounts: [ClientMount] = [], documents: [ClientMount] = [],
        viewFolder: String? = nil, allowances: Set<ClientAllowance> = [],
        environment: [String: String] = [:], hasTerminal: Bool = false, closesNamespaces: Bool = false
    ) {
        self.system = system
        self.home = home
        self.homeFolder = homeFolder
        self.runtime = runtime
        self.socketFolder = socketFolder
        self.accounts = accounts
        self.mounts = mounts
        self.documents = documents
        self.viewFolder = viewFolder
        self.allowances = allowances
        self.environment = environment
        self.hasTerminal = hasTerminal
        self.closesNamespaces = closesNamespaces
    }

    /// Where documents are passed, inside. Each is in a separate folder, named by its number.
    package var grantedFolder: String { runtime + "/granted" }

    /// Where what was granted is shown as files, inside. Not in the home, for the reason of ``HomeLinks``.
    package var shownFolder: String { runtime + "/documents" }
}
