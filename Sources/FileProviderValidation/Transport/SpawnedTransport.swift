import CLinux
import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A provider's program in a process of its own, with the socket as descriptor 3.
struct SpawnedTransport: ValidationTransport {
    let program: String
    let arguments: [String]
    let environment: [String: String]

    var name: String { "process" }

    var abilities: TransportAbilities { [.kill, .restart, .measure, .direct, .lifeCycle] }

    func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
        var pair = try UnixSocket.pair()
        let child = try ChildProgram(
            program, arguments: arguments, environment: environment, passing: [pair.second.raw])
        // Only the child's copy may stay open; otherwise its end would not be noticed.
        _ = try pair.takeSecond()
        return SpawnedInstance(child: child, socket: pair, storage: directory)
    }
}

private final class SpawnedInstance: ProviderInstance {
    let storage: String
    private let child: ChildProgram
    private let socket: Mutex<UnixSocket.Pair>

    init(child: ChildProgram, socket: consuming UnixSocket.Pair, storage: String) {
        self.child = child
        self.socket = Mutex(socket)
        self.storage = storage
    }

    var visibleStorage: String { storage }
    var isApart: Bool { true }
    var process: Int32? { child.process }
    var end: String? { child.end?.text }
    var errorText: String { PlainText.escaped(child.errorText, keepsLines: true) }

    func takeSocket() throws -> OwnedDescriptor { try socket.withLock { try $0.takeFirst() } }

    func stop(kill: Bool) async -> String? {
        _ = try? takeSocket()
        if kill { child.kill() }
        if let end = await child.waitForEnd(atMost: .seconds(10)) { return end.text }
        child.kill()
        _ = await child.waitForEnd(atMost: .seconds(10))
        return nil
    }
}
