import DaemonCore
import DocentInterfaces
import Foundation
import HostCore
import HostTesting
import Rights
import Storage
import Synchronization

@testable import Access
@testable import Varlink

/// A client that claims and presents items.
struct Claimant: Sendable {
    let session: Session
    let host: TestHost

    private var coordination: CoordinationService { host.services.coordination }

    init(_ host: TestHost, _ principal: Principal = writer) {
        self.host = host
        session = host.session(principal)
    }

    static func access(_ key: Rights.ItemKey, writing: Bool, _ options: [String]? = nil) -> Wire.ClaimAccess {
        Wire.ClaimAccess(place: Wire.ItemPlace(reference: key.reference), writing: writing, options: options)
    }

    /// Waits for a claim on one item.
    func claim(
        _ key: Rights.ItemKey, writing: Bool, options: [String]? = nil, operation: String,
        _ change: (inout DocumentsInterface.Coordinate.Parameters) -> Void = { _ in },
        tell: @escaping @Sendable (DocumentsInterface.Coordinate.Reply) -> Void = { _ in }
    ) async throws -> HeldClaim {
        var parameters = DocumentsInterface.Coordinate.Parameters(
            accesses: [Self.access(key, writing: writing, options)], operation: operation)
        change(&parameters)
        let held = try await coordination.coordinate(session, parameters) { json in
            if let told = try? JSONDecoder().decode(DocumentsInterface.Coordinate.Reply.self, from: Data(json)) {
                tell(told)
            }
        }
        return try HeldClaim(held)
    }

    /// Presents an item until the task is cancelled.
    func present(
        _ key: Rights.ItemKey, as name: String = "view", version: String? = nil
    ) -> Presentation {
        let presentation = Presentation(self, name)
        let parameters = DocumentsInterface.Present.Parameters(
            place: Wire.ItemPlace(reference: key.reference), presenter: name, version: version)
        presentation.run { try await coordination.present(session, parameters) { presentation.take($0) } }
        return presentation
    }
}

/// A granted claim.
struct HeldClaim: Sendable {
    let reply: DocumentsInterface.Coordinate.Reply
    private let call: HeldCall

    init(_ call: HeldCall) throws {
        struct Envelope: Decodable { var parameters: DocumentsInterface.Coordinate.Reply }
        self.call = call
        let bytes = call.first.bytes.prefix { $0 != 0 }
        reply = try JSONDecoder().decode(Envelope.self, from: Data(bytes)).parameters
    }

    /// The content that was opened with the claim.
    func text() throws -> String {
        OpenDescriptor(owning: try call.first.descriptors.take(reply.file ?? 0).release()).text
    }

    func release() { call.released() }
}

/// A presenter with the messages that it has received.
final class Presentation: Sendable {
    typealias Message = DocumentsInterface.Present.Reply

    private let claimant: Claimant
    private let name: String
    private let messages = AsyncStream<Message>.makeStream()
    private let task = Mutex<Task<Void, any Error>?>(nil)

    init(_ claimant: Claimant, _ name: String) { (self.claimant, self.name) = (claimant, name) }

    func run(_ body: @escaping @Sendable () async throws -> Void) {
        let running = Task { [messages] in
            defer { messages.continuation.finish() }
            try await body()
        }
        task.withLock { $0 = running }
    }

    func take(_ message: Message) { messages.continuation.yield(message) }

    /// The next message; nil when the presenter has ended.
    func next() async -> Message? {
        for await message in messages.stream { return message }
        return nil
    }

    /// The next message that needs an answer.
    func asked() async -> Message? {
        for await message in messages.stream where message.message != nil { return message }
        return nil
    }

    func answer(_ message: Message?, error: String? = nil) throws {
        try claimant.host.services.coordination.answer(
            claimant.session, presenter: name, message: message?.message ?? "", error: error)
    }

    func end() { task.withLock { $0?.cancel() } }

    /// Why it ended.
    var failure: Failure? {
        get async {
            guard let task = task.withLock({ $0 }), case .failure(let error) = await task.result else { return nil }
            return error as? Failure
        }
    }
}
