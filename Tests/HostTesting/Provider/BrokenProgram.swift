package import ExtensionHosting
import Glibc
import Synchronization
package import Varlink

/// An extension whose process has sent something that is no message, and has ended.
package final class BrokenProgram: ExtensionProgram {
    private let pair: Mutex<UnixSocket.Pair>
    private let end: ExtensionExit

    init(exit: ExtensionExit) throws {
        let pair = try UnixSocket.pair()
        let noise = Array("this is no message\0".utf8)
        _ = send(pair.second.raw, noise, noise.count, CInt(MSG_NOSIGNAL))
        self.pair = Mutex(pair)
        end = exit
    }

    package var outermostProcess: Int32? { nil }
    package var pluginProcess: Int32? { nil }
    package var residentBytes: Int? { nil }
    package var errorText: String { "" }
    package var isRunning: Bool { false }

    package func takeSocket() -> OwnedDescriptor? { pair.withLock { try? $0.takeFirst() } }
    package func waitForExit() async -> ExtensionExit { end }
    package func exit(within limit: Duration) async -> ExtensionExit? { end }
    package func terminate() {}
    package func terminate(for excess: ExtensionExit.Excess) {}
}
