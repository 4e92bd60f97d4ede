package import ExtensionHosting
import FileProviderValidation
import Glibc
package import Varlink

/// A provider that runs in the extension host. Thread-safe.
package final class HostedProvider: ProviderInstance {
    /// How long a provider may take to end after its host has closed the connection.
    package static let patience = Duration.seconds(10)

    /// The process, with its wrappers.
    package let host: ExtensionProcess
    package let storage: String
    /// The paths that it may use: its container, and the paths in its manifest and its domain.
    package let allowed: [String]
    /// Whether it may use the network.
    package let hasNetwork: Bool
    /// Whether it may start programs.
    package let maySpawn: Bool

    /// Takes over a provider that was just started.
    ///
    /// - Parameter profile: its sandbox profile.
    package init(process: ExtensionProcess, storage: String, profile: SandboxProfile) {
        host = process
        self.storage = storage
        allowed = [profile.container] + profile.readWrite + profile.readOnly
        hasNetwork = profile.network
        maySpawn = !profile.spawn.isEmpty
    }

    // A bind mount makes it visible at the same path.
    package var visibleStorage: String { storage }

    package var isApart: Bool { true }

    package func takeSocket() throws -> OwnedDescriptor {
        guard let socket = host.takeSocket() else {
            throw VarlinkError(.closed, "The socket of this provider was already taken.")
        }
        return socket
    }

    package var process: Int32? { host.isRunning ? host.pluginProcess : nil }

    /// The process, once it is known: it is reported separately from the calls, the first of which may be answered
    /// before. nil when the provider has ended, or its sandbox did not become active in time.
    package func knownProcess() async -> Int32? {
        let deadline = ContinuousClock.now + Self.patience
        while process == nil, host.isRunning, ContinuousClock.now < deadline {
            await Pause.uncancelled(.milliseconds(5))
        }
        return process
    }

    package var end: String? { host.exit.map(Self.words) }

    package var errorText: String { host.errorText }

    package func stop(kill: Bool) async -> String? {
        if kill {
            if let process { Glibc.kill(process, SIGKILL) } else { host.terminate() }
        }
        if let exit = await host.exit(within: Self.patience) { return Self.words(exit) }
        host.terminate()
        _ = await host.waitForExit()
        return nil
    }

    private static func words(_ exit: ExtensionExit) -> String {
        switch exit {
        case .exited(5), .exited(66), .exited(67), .exceeded: exit.description
        case .exited(let code): "ended with the code \(code)"
        case .signalled(let number): SignalText.killed(by: number)
        }
    }
}
