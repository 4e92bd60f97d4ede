import DocentInterfaces
import Synchronization
import Varlink

@testable import Documents

/// The coordination of a ``FakeDaemon``: grants claims as scripted, and records the calls in order.
final class CoordinationFake: Sendable {
    typealias Interface = DocumentsInterface
    typealias Claim = Interface.Coordinate.Parameters
    typealias Message = Interface.Present.Reply

    struct Script {
        /// Whether claims wait until this is false.
        var waits = false
        var version: String? = "1"
        /// The held claims, over all lives of the daemon.
        var held: Set<String> = []
        var claims: [Claim] = []
        var presented: [Interface.Present.Parameters] = []
        var answers: [Interface.AnswerPresenter.Parameters] = []
        /// The message that the next registered presenter gets.
        var messages: [Message] = []
        /// The error that ends a presenter's stream.
        var refusal: Failure?
    }

    let script = Mutex(Script())
    private let clients = Mutex<[DocumentsClient]>([])
    /// Called when a commit arrives, before it is answered.
    let commits: Mutex<@Sendable () throws -> Void> = Mutex({})

    var claims: [Claim] { script.withLock { $0.claims } }
    var presented: [Interface.Present.Parameters] { script.withLock { $0.presented } }
    var answers: [Interface.AnswerPresenter.Parameters] { script.withLock { $0.answers } }

    func set(_ change: @Sendable (inout sending Script) -> Void) { script.withLock { change(&$0) } }

    /// Sends a message to the presenter that is registered now.
    func send(_ message: Message) { script.withLock { $0.messages.append(message) } }

    func daemon() throws -> FakeDaemon {
        try FakeDaemon { [self] table, daemon in
            addClaims(&table, daemon)
            addChanges(&table, daemon)
            addPresenters(&table, daemon)
        }
    }

    /// A client that lives as long as this: its last calls are read before its connections close.
    func client(_ daemon: FakeDaemon) -> DocumentsClient {
        let client = daemon.client()
        clients.withLock { $0.append(client) }
        return client
    }

    private func item() -> Wire.Item {
        var item = FakeDaemon.item()
        item.version = script.withLock { $0.version }
        return item
    }

    private func addClaims(_ table: inout MethodTable, _ daemon: FakeDaemon) {
        let life = daemon.life
        table.held(Interface.Coordinate.shortName) { [self, weak daemon] call in
            let parameters = try CoordinateCodec.parameters(call.parameters)
            script.withLock { $0.claims.append(parameters) }
            daemon?.note("coordinate")
            if script.withLock({ $0.waits }) { return nil }
            return try grant(parameters, daemon, life)
        } otherwise: { [self, weak daemon] call, sink in
            let parameters = try CoordinateCodec.parameters(call.parameters)
            sink.trySend(Array(#"{"state":"waiting","waitsFor":["claim x"]}"#.utf8))
            daemon?.note("waiting")
            do {
                while script.withLock({ $0.waits }) { try await Task.sleep(for: .milliseconds(2)) }
            } catch {
                daemon?.note("cancelled")
                throw error
            }
            return try grant(parameters, daemon, life)
        }
        table.immediate(Interface.ReleaseClaim.shortName, Interface.ReleaseClaim.Parameters.self) {
            [weak daemon] _, _ in
            daemon?.note("release")
            return Reply(Interface.ReleaseClaim.Reply())
        }
    }

    private func grant(_ parameters: Claim, _ daemon: FakeDaemon?, _ life: Int) throws -> HeldCall {
        let version = script.withLock { $0.version }
        if let known = parameters.knownVersion, known != version {
            throw Failure(.claimLost, "It has changed.")
        }
        let json = item().hotJSON
        let descriptors = DescriptorList()
        if parameters.open == true { descriptors.append(try FakeDaemon.file("content \(version ?? "")")) }
        let name = "\(life) \(parameters.operation)"
        script.withLock { _ = $0.held.insert(name) }
        daemon?.note("granted")
        return HeldCall(
            first: (
                CoordinateCodec.granted(
                    items: parameters.accesses.map { $0.place.name == nil ? json : nil },
                    file: parameters.open == true ? 0 : nil), descriptors
            ), last: CoordinateCodec.released
        ) { [weak self, weak daemon] in
            self?.script.withLock { _ = $0.held.remove(name) }
            if daemon?.life == life { daemon?.note("released") }
        }
    }

    private func addChanges(_ table: inout MethodTable, _ daemon: FakeDaemon) {
        let life = daemon.life
        table.immediate(Interface.BeginWrite.shortName, Interface.BeginWrite.Parameters.self) {
            [self, weak daemon] parameters, _ in
            daemon?.note(
                "begin\(parameters.replacing ? " replacing" : "")\(parameters.claim == nil ? "" : " in claim")")
            return Reply(
                Interface.BeginWrite.Reply(file: 0, baseVersion: script.withLock { $0.version }),
                descriptors: DescriptorList(try FakeDaemon.file("")))
        }
        table.immediate(Interface.CommitWrite.shortName, Interface.CommitWrite.Parameters.self) {
            [self, weak daemon] parameters, _ in
            try commits.withLock { $0 }()
            if let claim = parameters.claim, !script.withLock({ $0.held.contains("\(life) \(claim)") }) {
                daemon?.note("commit without its claim")
                throw Failure(.claimLost, "It is not held.")
            }
            daemon?.note("commit")
            script.withLock { $0.version = "2" }
            return Reply(Interface.CommitWrite.Reply(item: item()))
        }
        table.immediate(Interface.AbandonWrite.shortName, Interface.AbandonWrite.Parameters.self) {
            [weak daemon] _, _ in
            daemon?.note("abandon")
            return Reply(Interface.AbandonWrite.Reply())
        }
        table.immediate(Interface.Move.shortName, Interface.Move.Parameters.self) {
            [self, weak daemon] parameters, _ in
            daemon?.note("move to \(parameters.name ?? "")\(parameters.claim == nil ? "" : " in claim")")
            return Reply(Interface.Move.Reply(item: item()))
        }
        table.immediate(Interface.DidMove.shortName, Interface.DidMove.Parameters.self) {
            [weak daemon] parameters, _ in
            daemon?.note("didMove to \(parameters.newReference.identifier)")
            return Reply(Interface.DidMove.Reply())
        }
        table.immediateRaw(Interface.Open.shortName) { [self] call in
            let parameters = try OpenCodec.parameters(call.parameters)
            return (
                OpenCodec.reply(item: item().hotJSON, file: 0, lease: nil, slot: nil, generation: nil, reading: nil),
                DescriptorList(try FakeDaemon.file("opened \(parameters.reference.identifier)"))
            )
        }
        table.immediate(Interface.StopAccessing.shortName, Interface.StopAccessing.Parameters.self) { _, _ in
            Reply(Interface.StopAccessing.Reply())
        }
    }

    private func addPresenters(_ table: inout MethodTable, _ daemon: FakeDaemon) {
        table.stream(Interface.Present.shortName, Interface.Present.Parameters.self) {
            [self, weak daemon] parameters, _, sink in
            if let refusal = script.withLock({ $0.refusal }) { throw refusal }
            script.withLock { $0.presented.append(parameters) }
            let item = item()
            try await sink.send(Reply(Message(kind: "registered", item: item, version: item.version)))
            if let known = parameters.version, known != item.version {
                try await sink.send(Reply(Message(kind: "didChange", version: item.version, uncoordinated: true)))
            }
            daemon?.note("presents")
            while true {
                let next = script.withLock { script in
                    script.messages.isEmpty ? nil : script.messages.removeFirst()
                }
                guard let next else {
                    try await Task.sleep(for: .milliseconds(2))
                    continue
                }
                try await sink.send(Reply(next))
            }
        }
        table.immediate(Interface.AnswerPresenter.shortName, Interface.AnswerPresenter.Parameters.self) {
            [self, weak daemon] parameters, _ in
            script.withLock { $0.answers.append(parameters) }
            daemon?.note("answer \(parameters.message)\(parameters.error.map { ": \($0)" } ?? "")")
            return Reply(Interface.AnswerPresenter.Reply())
        }
    }
}
