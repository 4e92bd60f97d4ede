/// What an extension asks for beyond the base profile of the sandbox (S2); shown when it is enabled (S3).
package struct Entitlements: Sendable, Hashable, Codable {
    /// `com.apple.security.application-groups`: containers it shares (A9).
    package var applicationGroups: [String] = []
    /// `keychain-access-groups`: credentials it may read and store.
    package var keychainAccessGroups: [String] = []
    /// `com.apple.security.network.client`: whether it may connect to other machines.
    package var networkClient = false
    /// Paths below the home, without leading and trailing slash, that it may read and change.
    package var homeReadWrite: [String] = []
    /// Paths below the home, without leading and trailing slash, that it may read.
    package var homeReadOnly: [String] = []
    /// Absolute paths that it may read and change.
    package var absoluteReadWrite: [String] = []
    /// Absolute paths that it may read.
    package var absoluteReadOnly: [String] = []
    /// `org.docent.spawn`: absolute paths of programs that it may start.
    package var spawn: [String] = []
    /// `org.docent.loopback-listener`: whether it gets one listening socket on 127.0.0.1, made before its sandbox
    /// closes.
    package var loopbackListener = false

    /// Asks for nothing.
    package init() {}

    /// Whether nothing is asked for.
    package var isEmpty: Bool {
        self == Entitlements()
    }

    /// One line for each thing asked for, always in the same order; the digest pins these.
    package var lines: [String] {
        func list(_ name: String, _ values: [String]) -> [String] {
            values.sorted().map { "\(name) \(DisplayText.escaped($0))" }
        }
        return list("application group", applicationGroups)
            + list("keychain group", keychainAccessGroups)
            + (networkClient ? ["network"] : [])
            + list("home read-write", homeReadWrite)
            + list("home read-only", homeReadOnly)
            + list("read-write", absoluteReadWrite)
            + list("read-only", absoluteReadOnly)
            + list("spawn", spawn)
            + (loopbackListener ? ["loopback listener"] : [])
    }
}
