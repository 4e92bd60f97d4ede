import Access
import Coordination
import DocentInterfaces
import ExtensionHosting
import HostCore
import Logging
import Synchronization
import Varlink

/// Receives the claims of one extension for as long as its process lives, and answers them. The claims end with the
/// connection.
final class ProviderClaims: Sendable {
    private enum Wish {
        case waiting(Task<Void, Never>?)
        case held(Claim.Identifier)
    }

    /// The maximum number of simultaneous claims of one extension (T4).
    private static let maximumClaims = 256

    private let provider: String
    private let connection: ExtensionConnection
    private let coordination: any ProviderCoordination
    private let logger: Logger
    private let owner = CoordinationParty.nextNumber()
    private let wishes = Mutex<[String: Wish]>([:])

    private init(
        _ provider: String, _ connection: ExtensionConnection, _ coordination: any ProviderCoordination,
        _ logger: Logger
    ) {
        self.provider = provider
        self.connection = connection
        self.coordination = coordination
        self.logger = logger
    }

    // The process that runs the author's code is known only a moment after its start.
    private var party: CoordinationParty {
        let program = connection.program
        let process = program.pluginProcess ?? program.outermostProcess
        return .provider(provider, owner: owner, process: process.map(Int.init))
    }

    /// Runs until the extension ends or reports that it does not coordinate.
    static func follow(
        _ provider: KnownProvider, _ connection: ExtensionConnection, _ coordination: any ProviderCoordination,
        _ logger: Logger
    ) async {
        let claims = ProviderClaims(provider.identifier, connection, coordination, logger)
        defer { claims.end() }
        try? await connection.withStream(FileProviderInterface.Claims.self, .init()) { claims.take($0.value) }
    }

    private func take(_ message: FileProviderInterface.Claims.Reply) {
        switch message.kind {
        case "request": request(message)
        case "release": release(message.claim)
        // A message of a newer extension (T5).
        default: break
        }
    }

    private func request(_ message: FileProviderInterface.Claims.Reply) {
        let name = message.claim
        do throws(Failure) {
            var claim = try ProviderClaim(message, provider: provider)
            let (problem, enclosing) = wishes.withLock { wishes -> (String?, [Claim.Identifier]) in
                guard !name.isEmpty, name.utf8.count <= 128, wishes[name] == nil else {
                    return ("A claim needs a name of its own, of at most 128 bytes.", [])
                }
                guard wishes.count < Self.maximumClaims else {
                    return ("\(provider) has \(Self.maximumClaims) claims; it must release some.", [])
                }
                wishes[name] = .waiting(nil)
                return (
                    nil,
                    (message.enclosing ?? []).compactMap {
                        if case .held(let id)? = wishes[$0] { id } else { nil }
                    }
                )
            }
            if let problem { throw Failure(.invalidArgument, problem) }
            claim.enclosing = enclosing
            claim.waiters = message.within.map(connection.served.waiters) ?? []
            wait(name, claim)
        } catch {
            Task { await answer(name, error) }
        }
    }

    private func wait(_ name: String, _ claim: ProviderClaim) {
        let task = Task { [self] in
            do {
                let id = try await coordination.acquire(claim, for: party)
                let isWanted = wishes.withLock { wishes in
                    guard case .waiting? = wishes[name] else { return false }
                    wishes[name] = .held(id)
                    return true
                }
                guard isWanted else { return coordination.finish(id) }
                await answer(name, nil)
            } catch {
                let wasWanted = wishes.withLock { $0.removeValue(forKey: name) != nil }
                let failure = FailureMapping.failure(error)
                if failure.code == .deadlock {
                    logger.warning(
                        "a provider's claim would wait for itself",
                        metadata: ["provider": "\(provider)", "what": "\(failure.message)"])
                }
                if wasWanted { await answer(name, failure) }
            }
        }
        wishes.withLock { wishes in
            if case .waiting? = wishes[name] { wishes[name] = .waiting(task) }
        }
    }

    private func release(_ name: String) {
        switch wishes.withLock({ $0.removeValue(forKey: name) }) {
        case .held(let id)?: coordination.finish(id)
        case .waiting(let task)?: task?.cancel()
        case nil: break
        }
    }

    private func answer(_ name: String, _ failure: Failure?) async {
        let message = failure.map { [$0.message, $0.suggestion].compactMap(\.self).joined(separator: " ") }
        do {
            _ = try await connection.call(
                FileProviderInterface.ClaimAnswered.self,
                .init(claim: name, granted: failure == nil, code: failure?.code.rawValue, message: message))
        } catch {
            // The extension cancelled the request at the same moment, or is about to end.
            release(name)
        }
    }

    private func end() {
        let left = wishes.withLock { wishes in
            defer { wishes = [:] }
            return wishes.values
        }
        for case .waiting(let task?) in left { task.cancel() }
        coordination.ended(party.owner)
    }
}
