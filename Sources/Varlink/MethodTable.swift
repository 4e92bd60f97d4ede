import FoundationEssentials

/// The methods of an interface and their handlers.
package struct MethodTable: Sendable {
    /// The interface's name, such as `org.docent.Documents`.
    package let interface: String
    /// The text of the interface file.
    package let description: String
    /// Who may call its methods. The observer checks this before a call's parameters are read.
    package let authority: MethodAuthority

    private(set) var handlers: [String: MethodHandler] = [:]

    /// Creates a table without methods.
    package init(interface: String, description: String, authority: MethodAuthority = .everyone) {
        self.interface = interface
        self.description = description
        self.authority = authority
    }

    /// Adds a method that is answered on the connection's own thread. `body` must not block for long.
    package mutating func immediate<P: VarlinkMessage, R: VarlinkMessage>(
        _ name: String, changesState: Bool = false, _: P.Type,
        _ body: @escaping @Sendable (P, IncomingCall) throws -> Reply<R>
    ) {
        handlers[name] = .immediate(changesState: changesState) { head, claim in
            let (parameters, call) = try head.decode(P.self, claim)
            return try EncodedReply(body(parameters, call))
        }
    }

    /// Like `immediate`, for hot codecs: `body` receives the parameters as text and returns the reply's parameters
    /// object as text. Calls of this method have exactly `descriptors` descriptors.
    package mutating func immediateRaw(
        _ name: String, changesState: Bool = false, descriptors: Int = 0,
        _ body: @escaping @Sendable (IncomingCall) throws -> (json: [UInt8], DescriptorList)
    ) {
        handlers[name] = .immediate(changesState: changesState) { head, claim in
            let (json, list) = try body(head.call(claim(descriptors)))
            return EncodedReply(object: json, descriptors: list)
        }
    }

    /// Adds a method that is answered on the connection's own thread if `attempt` can, and otherwise in a task like
    /// ``call(_:changesState:_:_:)``. For hot codecs. Calls of this method have no descriptors and change
    /// nothing.
    ///
    /// - Parameters:
    ///   - attempt: must not block for long; nil passes the call to `otherwise`.
    package mutating func quick(
        _ name: String,
        attempt: @escaping @Sendable (IncomingCall) throws -> (json: [UInt8], DescriptorList)?,
        otherwise: @escaping @Sendable (IncomingCall) async throws -> (json: [UInt8], DescriptorList)
    ) {
        handlers[name] = .task(changesState: false, needsMore: false) { head, claim, _ in
            let call = head.call(try claim(0))
            if let (json, list) = try attempt(call) { return .reply(EncodedReply(object: json, descriptors: list)) }
            return .work {
                let (json, list) = try await otherwise(call)
                return .reply(EncodedReply(object: json, descriptors: list))
            }
        }
    }

    /// Adds a `more` method that holds what it was granted until the caller's next call on the connection. For
    /// hot codecs. Calls of this method have no descriptors. Calls without `more` and one-way calls are refused.
    ///
    /// - Parameters:
    ///   - attempt: grants the call at once, on the connection's own thread; must not block for long. Nil passes the
    ///     call to `otherwise`.
    ///   - otherwise: runs in a task, which is cancelled when the peer hangs up. It counts as a waiting call until it
    ///     returns.
    package mutating func held(
        _ name: String,
        attempt: @escaping @Sendable (IncomingCall) throws -> HeldCall?,
        otherwise: @escaping @Sendable (IncomingCall, HeldSink) async throws -> HeldCall
    ) {
        handlers[name] = .task(changesState: true, needsMore: true) { head, claim, output in
            let call = head.call(try claim(0))
            if let held = try attempt(call) { return .held(held) }
            return .work { try await .held(otherwise(call, HeldSink(output))) }
        }
    }

    /// Adds a method that is answered in a task, which is cancelled when the peer hangs up. A one-way call is refused,
    /// without effect or reply, if the method changes state; otherwise it runs to its end even if the peer has gone.
    package mutating func call<P: VarlinkMessage, R: VarlinkMessage>(
        _ name: String, changesState: Bool = false, _: P.Type,
        _ body: @escaping @Sendable (P, IncomingCall) async throws -> Reply<R>
    ) {
        handlers[name] = .task(changesState: changesState, needsMore: false) { head, claim, _ in
            let (parameters, call) = try head.decode(P.self, claim)
            return .work { try await .reply(EncodedReply(body(parameters, call))) }
        }
    }

    /// Adds a `more` method with several replies: those sent to the sink, then the value that `body` returns. A call
    /// without `more` is refused with `ExpectedMore`, and a one-way call is refused as for a method that changes state.
    /// If `requiresMore` is false, a call without `more` gets only the last reply, and `body` must not use the sink.
    package mutating func stream<P: VarlinkMessage, R: VarlinkMessage>(
        _ name: String, requiresMore: Bool = true, _: P.Type,
        _ body: @escaping @Sendable (P, IncomingCall, ReplySink<R>) async throws -> Reply<R>
    ) {
        handlers[name] = .task(changesState: true, needsMore: requiresMore) { head, claim, output in
            let (parameters, call) = try head.decode(P.self, claim)
            return .work { try await .reply(EncodedReply(body(parameters, call, ReplySink(output)))) }
        }
    }
}

/// The handler of a method. Its first step runs on the connection's thread and takes the call's descriptors.
enum MethodHandler: Sendable {
    typealias Claim = (_ count: Int) throws -> DescriptorList
    typealias Work = @Sendable () async throws -> Ending

    /// The result of the first step.
    enum Answer {
        /// The rest runs in a task.
        case work(Work)
        /// The call is complete.
        case reply(EncodedReply)
        /// The call was granted at once.
        case held(HeldCall)
    }

    /// The result of a task.
    enum Ending: Sendable {
        case reply(EncodedReply)
        case held(HeldCall)
    }

    case immediate(changesState: Bool, @Sendable (CallHead, Claim) throws -> EncodedReply)
    case task(changesState: Bool, needsMore: Bool, @Sendable (CallHead, Claim, CallOutput) throws -> Answer)

    var changesState: Bool {
        switch self {
        case .immediate(let changesState, _), .task(let changesState, _, _): changesState
        }
    }
}

/// A call before its descriptors are taken.
struct CallHead: Sendable {
    let method: String
    let parameters: Data
    let peer: PeerCredentials
    let connection: ConnectionIdentifier
    let wantsMore: Bool
    let isOneway: Bool

    func call(_ descriptors: DescriptorList) -> IncomingCall {
        IncomingCall(
            method: method, parameters: parameters, descriptors: descriptors, peer: peer, connection: connection,
            wantsMore: wantsMore, isOneway: isOneway)
    }

    func decode<P: VarlinkMessage>(_: P.Type, _ claim: MethodHandler.Claim) throws -> (P, IncomingCall) {
        defer { if P.hasSecrets { Wiping.wipe(parameters) } }
        let value = try IncomingCall.decode(P.self, from: parameters)
        return (value, call(try claim(value.descriptorCount)))
    }
}
