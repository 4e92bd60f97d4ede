import FoundationEssentials
import Synchronization

/// The state that all connections of a server share.
final class ServerContext: Sendable {
    let handlers: [String: (authority: MethodAuthority, handler: MethodHandler)]
    let interfaces: Set<String>
    let observer: (any ConnectionObserver)?
    let limits: ServerLimits
    let shares: ServerShares
    /// The number of refused connections that wait for their first call, to answer it with the reason.
    let refusedWaiting = Atomic(0)
    let errorMapper: @Sendable (any Error) -> VarlinkCallError

    init(
        information: ServiceInformation, interfaces: [MethodTable], observer: (any ConnectionObserver)?,
        limits: ServerLimits, errorMapper: @escaping @Sendable (any Error) -> VarlinkCallError
    ) {
        let tables = interfaces + [ServiceInterface.table(information: information, interfaces: interfaces)]
        var handlers: [String: (authority: MethodAuthority, handler: MethodHandler)] = [:]
        for table in tables {
            for (name, handler) in table.handlers {
                handlers["\(table.interface).\(name)"] = (table.authority, handler)
            }
        }
        self.handlers = handlers
        self.interfaces = Set(tables.map(\.interface))
        self.observer = observer
        self.limits = limits
        shares = ServerShares(limits)
        self.errorMapper = errorMapper
    }

    /// The error for a method without a handler.
    func notFound(_ method: String) -> VarlinkCallError {
        guard let dot = method.lastIndex(of: "."), dot != method.startIndex else {
            return .invalidParameter("method")
        }
        let interface = String(method[..<dot])
        return interfaces.contains(interface) ? .methodNotFound(method) : .interfaceNotFound(interface)
    }

    /// Asks the observer whether a call may wait.
    func callWaits(_ connection: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void {
        guard let observer else { return {} }
        return try observer.callWaits(connection, method: method)
    }

    /// The error for a peer that has used up its share of a resource.
    func error(for exhausted: ServerShares.Exhaustion) -> any Error {
        observer?.refusal(exhausted.refusal, of: exhausted.resource, to: exhausted.holder)
            ?? VarlinkError(.unavailable, "The peer has used up its share: \(exhausted.resource).")
    }

    /// A handler's error as an error on the wire.
    func callError(for error: any Error) -> VarlinkCallError { (error as? VarlinkCallError) ?? errorMapper(error) }

    /// The reply for a handler's error.
    func reply(for error: any Error) -> EncodedReply {
        let callError = callError(for: error)
        let reply = EncodedReply(callError)
        if reply.bytes.count <= limits.messageBytes { return reply }
        return EncodedReply(VarlinkCallError(name: String(callError.name.prefix(256))))
    }
}
