/// What a client's sandbox has beside the system, which it sees read-only (S6). A value; ``options`` are bubblewrap's arguments.
package struct ClientSandboxProfile: Hashable, Sendable {
    /// What there is of the system.
    package var system: SystemTree
    /// The path of the home inside: the user's own.
    package var home: String
    /// The folder of this machine that is the client's private home.
    package var homeFolder: String
    /// The path of the runtime directory inside.
    package var runtime: String
    /// The folder of this machine that holds the client's socket, `docent.sock`, and nothing else.
    package var socketFolder: String
    /// Files that stand for `/etc/passwd` and `/etc/group`: they name this user alone.
    package var accounts: [String: String]
    /// What else is shown: the program, sockets that were allowed. In this order, and none of it in the home.
    package var mounts: [ClientMount]
    /// Documents that are passed, each below ``grantedFolder``.
    package var documents: [ClientMount]
    package var allowances: Set<ClientAllowance>
    /// The whole environment inside.
    package var environment: [String: String]
    /// Whether it gets a terminal of its own, which the program then takes as its session's.
    package var hasTerminal: Bool
    /// Whether bubblewrap is to refuse further user namespaces inside: they give no right, but more of the kernel to attack.
    package var closesNamespaces: Bool

    package init(
        system: SystemTree, home: String, homeFolder: String, runtime: String, socketFolder: String,
        accounts: [String: String] = [:], mounts: [ClientMount] = [], documents: [ClientMount] = [],
        allowances: Set<ClientAllowance> = [],
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
        self.allowances = allowances
        self.environment = environment
        self.hasTerminal = hasTerminal
        self.closesNamespaces = closesNamespaces
    }

    /// Where documents are passed, inside; each in a folder of its own, named by its number.
    package var grantedFolder: String { runtime + "/granted" }
}
