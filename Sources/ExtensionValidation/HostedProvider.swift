import FileProviderValidation
import Glibc
package import Host
package import Varlink

/// A provider that the extension host runs. Thread-safe.
package final class HostedProvider: ProviderInstance {
    /// How long a provider may take to end when its host has hung up.
    package static let patience = Duration.seconds(10)

    /// The process, with its wrappers.
    package let host: ExtensionProcess
    package let storage: String
    /// What it may use on disk: its container and what its manifest and its domain name.
    package let allowed: [String]
    /// Whether it may use the network.
    package let hasNetwork: Bool
    /// Whether it may start programs.
    package let maySpawn: Bool

    /// A provider that was just started.
    ///
    /// - Parameter profile: what it may do.
    package init(process: ExtensionProcess, storage: String, profile: SandboxProfile) {
        host = process
        self.storage = storage
        allowed = [profile.container] + profile.readWrite + profile.readOnly
        hasNetwork = profile.network
        maySpawn = !profile.spawn.isEmpty
    }

    // A bind mount shows it at the same place.
    package var visibleStorage: String { storage }

    package var isApart: Bool { true }

    package func takeSocket() throws -> OwnedDescriptor {
        guard let socket = host.takeSocket() else {
            throw VarlinkError(.closed, "The socket of this provider was taken.")
        }
        return socket
    }

    package var process: Int32? { host.isRunning ? host.pluginProcess : nil }

    /// The process, once it is known: it is told beside the calls, and the first of them may be answered before. Nil
    /// when the provider has ended, or the sandbox was not closed in time.
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
