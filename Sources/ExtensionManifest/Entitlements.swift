/// What an extension asks for beyond the base profile of the sandbox. It is shown when the extension is enabled.
package struct Entitlements: Sendable, Hashable, Codable {
    /// `com.apple.security.application-groups`: its shared containers.
    package var applicationGroups: [String] = []
    /// `keychain-access-groups`: credentials it may read and store.
    package var keychainAccessGroups: [String] = []
    /// `com.apple.security.network.client`: whether it may connect to other machines.
    package var networkClient = false
    /// Paths below the home, without leading and trailing slash, that it may read and write.
    package var homeReadWrite: [String] = []
    /// Paths below the home, without leading and trailing slash, that it may read.
    package var homeReadOnly: [String] = []
    /// Absolute paths that it may read and write.
    package var absoluteReadWrite: [String] = []
    /// Absolute paths that it may read.
    package var absoluteReadOnly: [String] = []
    /// `org.docent.spawn`: absolute paths of programs that it may run.
    package var spawn: [String] = []
    /// `org.docent.loopback-listener`: whether it gets one listening socket on 127.0.0.1, created before its sandbox
    /// becomes active.
    package var loopbackListener = false

    /// Creates empty entitlements.
    package init() {}

    /// One line for each entitlement, always in the same order; part of the digest.
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
