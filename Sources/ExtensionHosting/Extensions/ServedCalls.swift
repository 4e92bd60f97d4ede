package import Coordination
import DocentInterfaces
import HostCore
import Synchronization

/// The calls of one extension that are in progress and change something, with their waiters. The extension names the
/// call in which it coordinates. Thread-safe.
package final class ServedCalls: Sendable {
    /// The waiter of a call.
    package enum Waiter: Hashable, Sendable {
        /// The host, within a claim.
        case claim(Claim.Identifier)
        /// A client, with all its claims.
        case client(Claim.Owner)
        /// No one that holds a claim.
        case nobody
    }

    private let calls = Mutex<[String: [Waiter]]>([:])

    package init() {}

    /// Records the start of a call.
    ///
    /// - Returns: a value for ``end(_:)``; nil for a call that changes nothing.
    package func begin(_ parameters: Any) -> (name: String, waiter: Waiter)? {
        guard let name = (parameters as? any ServedCall)?.servedName else { return nil }
        let waiter =
            ClaimContext.held.map(Waiter.claim) ?? ClaimContext.choosing.map(Waiter.client) ?? .nobody
        calls.withLock { $0[name, default: []].append(waiter) }
        return (name, waiter)
    }

    /// Records the end of a call.
    package func end(_ call: (name: String, waiter: Waiter)?) {
        guard let call else { return }
        calls.withLock { calls in
            guard let index = calls[call.name]?.firstIndex(of: call.waiter) else { return }
            calls[call.name]?.remove(at: index)
            if calls[call.name]?.isEmpty == true { calls[call.name] = nil }
        }
    }

    /// The waiters of a call. Empty if several calls with that name are in progress and one of them has no waiter:
    /// otherwise a deadlock could be reported where there is none.
    package func waiters(_ name: String) -> [Waiter] {
        let found = calls.withLock { $0[name] ?? [] }
        return found.contains(.nobody) ? [] : found
    }
}

/// A call that changes something.
private protocol ServedCall {
    /// The name that an extension uses for it (`Claims`): method, domain and identifier, or the name of the operation.
    var servedName: String { get }
}

extension FileProviderInterface.Modify.Parameters: ServedCall {
    var servedName: String { "Modify \(domain) \(identifier)" }
}

extension FileProviderInterface.Move.Parameters: ServedCall {
    var servedName: String { "Move \(domain) \(identifier)" }
}

extension FileProviderInterface.Delete.Parameters: ServedCall {
    var servedName: String { "Delete \(domain) \(identifier)" }
}

extension FileProviderInterface.TrashItem.Parameters: ServedCall {
    var servedName: String { "TrashItem \(domain) \(identifier)" }
}

extension FileProviderInterface.RestoreVersion.Parameters: ServedCall {
    var servedName: String { "RestoreVersion \(domain) \(identifier)" }
}

extension FileProviderInterface.RestoreItem.Parameters: ServedCall { var servedName: String { operation } }
extension FileProviderInterface.Create.Parameters: ServedCall { var servedName: String { operation } }
extension FileProviderInterface.BeginPackage.Parameters: ServedCall { var servedName: String { operation } }
extension FileProviderInterface.CommitPackage.Parameters: ServedCall { var servedName: String { operation } }
extension DocumentPickerInterface.Choose.Parameters: ServedCall { var servedName: String { session } }
