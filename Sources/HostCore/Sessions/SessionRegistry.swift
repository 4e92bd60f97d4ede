package import DocentInterfaces
import Rights
import Synchronization
package import Varlink

/// The principals of connections, the sessions, and what happens when a connection closes.
///
/// Thread-safe; asked on the hot path, so it takes only a lock.
package final class SessionRegistry: ConnectionObserver {
    private struct Peer {
        var principal: Principal
        var executable: String?
        var process: Int?
        var session: Session?
    }

    private struct State {
        var peers: [ConnectionIdentifier: Peer] = [:]
        var sessions: [String: Session] = [:]
    }

    /// Label of the socket that everyone may use. Any other label has the form `client:CLIENT:SOCKET`.
    package static let commonLabel = "common"

    private let identity: PeerIdentity
    private let reserve: DescriptorReserve
    private let waiting = WaitingCalls()
    private let state = Mutex(State())
    private let ended: @Sendable (Session) -> Void

    /// - Parameters:
    ///   - reserve: the descriptors reserved for administration.
    ///   - ended: called when a session has ended, on the connection's thread.
    package init(
        identity: PeerIdentity, reserve: DescriptorReserve = DescriptorReserve(),
        ended: @escaping @Sendable (Session) -> Void
    ) {
        self.identity = identity
        self.reserve = reserve
        self.ended = ended
    }

    /// Label of a socket created for one confined client.
    package static func label(client: String, socket: String) -> String { "client:\(client):\(socket)" }

    private static func client(label: String) -> String? {
        guard label.hasPrefix("client:") else { return nil }
        return label.dropFirst("client:".count).split(separator: ":", maxSplits: 1).first.map(String.init)
    }

    package func connectionOpened(
        _ connection: ConnectionIdentifier, peer: PeerCredentials, listener: String
    ) throws {
        var entry: Peer
        if let client = Self.client(label: listener) {
            entry = Peer(principal: Principal(kind: .run, identifier: client))
        } else {
            do {
                let known = try identity.recognise(peer)
                entry = Peer(principal: known.principal, executable: known.executable)
            } catch {
                throw error.callError(interface: DocumentsInterface.name)
            }
        }
        if peer.processIdentifier > 0 { entry.process = Int(peer.processIdentifier) }
        let known = entry
        state.withLock { $0.peers[connection] = known }
    }

    /// A socket created for one client identifies that client. On the common socket, an unconfined program is
    /// identified by its process. A peer that may be in another sandbox is recognised later, on the connection's own
    /// thread.
    package func holder(of peer: PeerCredentials, listener: String) -> ShareHolder {
        if let client = Self.client(label: listener) { return Principal(kind: .run, identifier: client).shareHolder }
        return ShareHolder(identity.isUnconfined(peer) ? .unconfined : .unrecognised, process: peer)
    }

    package func recognisedHolder(_ connection: ConnectionIdentifier) -> ShareHolder? {
        state.withLock { state in
            state.peers[connection].flatMap { $0.principal.isConfined ? $0.principal.shareHolder : nil }
        }
    }

    package func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error {
        let (what, suggestion) =
            switch resource {
            case .connections: ("connections", "Close some of them, or wait until others have ended.")
            case .unfinishedMessages: ("incomplete messages", "Finish one message before you send the next.")
            case .messageBytes: ("bytes of unanswered messages", "Send fewer long messages at a time.")
            case .receivedDescriptors: ("descriptors that belong to no message", "Send descriptors with their message.")
            }
        return refusal.failure(holder, what, suggestion: suggestion).callError(interface: DocumentsInterface.name)
    }

    package func isInReserve(descriptor: CInt) -> Bool { reserve.holds(descriptor) }

    package func callArrived(
        _ connection: ConnectionIdentifier, method: String, authority: MethodAuthority
    ) throws {
        if authority == .unconfined { try requireUnconfined(connection) }
        try reserve.admit(method)
    }

    // A confined program may not choose documents or change rights (I1).
    private func requireUnconfined(_ connection: ConnectionIdentifier) throws(Failure) {
        guard let principal = state.withLock({ $0.peers[connection]?.principal }) else { throw Self.gone }
        guard !principal.isConfined else {
            throw Failure(
                .notPermitted, "A confined program cannot choose documents or change rights.",
                suggestion: "Ask the user to choose outside the sandbox.")
        }
    }

    package func callWaits(_ connection: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void {
        guard let principal = state.withLock({ $0.peers[connection]?.principal }) else { throw Self.gone }
        // A presenter does not wait for anything: it has its own limit.
        if method == DocumentsInterface.Present.name { return {} }
        return try waiting.begin(principal, method: method)
    }

    package func connectionClosed(_ connection: ConnectionIdentifier) {
        let finished = state.withLock { state -> Session? in
            guard let session = state.peers.removeValue(forKey: connection)?.session,
                session.lifeline == connection
            else { return nil }
            state.sessions[session.token] = nil
            return session
        }
        if let finished { ended(finished) }
    }

    /// Opens a session on a connection. The identifier that a confined client states is ignored: its principal is
    /// already known.
    ///
    /// - Throws: ``Failure`` when the connection already has a session or the identifier is not acceptable.
    package func open(_ connection: ConnectionIdentifier, stated: String?) throws(Failure) -> Session {
        if let stated, !Self.isAcceptable(stated) {
            throw Failure(
                .invalidArgument, "\"\(stated)\" is not a client identifier.",
                suggestion: "Use reverse DNS, like org.example.Editor.")
        }
        return try change { (state) throws(Failure) in
            guard var peer = state.peers[connection] else { throw Self.gone }
            guard peer.session == nil else { throw Failure(.invalidArgument, "This connection already has a session.") }
            if let stated, peer.principal.kind == .unconfined {
                peer.principal = Principal(kind: .unconfined, identifier: stated)
            }
            return Self.begin(&peer, connection, &state)
        }
    }

    /// Joins a connection to a session: a confined client only to one of the same principal, an unconfined client to
    /// any unconfined session that it has the token of.
    package func join(_ connection: ConnectionIdentifier, token: String) throws(Failure) -> Session {
        try change { (state) throws(Failure) in
            guard var peer = state.peers[connection] else { throw Self.gone }
            guard let session = state.sessions[token], peer.session == nil,
                session.principal.kind == peer.principal.kind,
                !peer.principal.isConfined || session.principal == peer.principal
            else { throw Failure(.notFound, "There is no such session.", suggestion: "Open a new one.") }
            peer.session = session
            peer.principal = session.principal
            state.peers[connection] = peer
            session.join(connection)
            return session
        }
    }

    /// The session of a connection; one is begun if it has none.
    package func session(_ connection: ConnectionIdentifier) throws(Failure) -> Session {
        try change { (state) throws(Failure) in
            guard var peer = state.peers[connection] else { throw Self.gone }
            return peer.session ?? Self.begin(&peer, connection, &state)
        }
    }

    /// Every living session.
    package var sessions: [Session] { state.withLock { Array($0.sessions.values) } }

    /// Number of connections.
    package var connectionCount: Int { state.withLock { $0.peers.count } }

    private func change<Result>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = state.withLock { state in
            do throws(Failure) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func begin(
        _ peer: inout Peer, _ connection: ConnectionIdentifier, _ state: inout State
    ) -> Session {
        let session = Session(
            principal: peer.principal, executable: peer.executable, process: peer.process, lifeline: connection)
        peer.session = session
        state.peers[connection] = peer
        state.sessions[session.token] = session
        return session
    }

    /// Whether a text can be a client's identifier: letters, digits, `.`, `-` and `_`, at most 255 bytes.
    package static func isAcceptable(_ identifier: String) -> Bool {
        !identifier.isEmpty && identifier.utf8.count <= 255
            && identifier.utf8.allSatisfy {
                $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }
    }

    private static let gone = Failure(.unavailable, "The connection was closed.")
}
