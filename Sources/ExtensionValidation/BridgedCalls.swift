import DocentInterfaces
import FileProviderValidation
import Synchronization
import Varlink

/// Calls of a bridge that have a domain.
protocol BridgedCall {
    /// The domain.
    var domain: String { get }
}

extension FileProviderInterface.Item.Parameters: BridgedCall {}
extension FileProviderInterface.Child.Parameters: BridgedCall {}
extension FileProviderInterface.Children.Parameters: BridgedCall {}
extension FileProviderInterface.Fetch.Parameters: BridgedCall {}
extension FileProviderInterface.Create.Parameters: BridgedCall {}
extension FileProviderInterface.Modify.Parameters: BridgedCall {}
extension FileProviderInterface.Delete.Parameters: BridgedCall {}
extension FileProviderInterface.Move.Parameters: BridgedCall {}

extension MethodTable {
    /// Answers a method in a task.
    ///
    /// - Parameter conflict: the method's code for a conflict.
    mutating func bridge<Method: InterfaceMethod>(
        _ method: Method.Type, conflict: FailureCode = .versionOutOfDate,
        _ body: @escaping @Sendable (Method.Parameters, DescriptorList) async throws -> Method.Reply
    ) where Method.Parameters: BridgedCall {
        call(method.shortName, changesState: true, Method.Parameters.self) { parameters, call in
            do {
                try BridgedDomain.require(parameters.domain)
                return Reply(try await body(parameters, call.descriptors))
            } catch {
                throw BridgedError.reply(error, conflict)
            }
        }
    }

    /// Answers a method that can report progress, only with its last reply: a connection to a daemon reports no
    /// progress.
    mutating func bridgeStream<Method: InterfaceMethod>(
        _ method: Method.Type, conflict: FailureCode = .versionOutOfDate,
        _ body: @escaping @Sendable (Method.Parameters, DescriptorList) async throws -> Method.Reply
    ) where Method.Parameters: BridgedCall {
        stream(method.shortName, requiresMore: false, Method.Parameters.self) {
            (parameters, call, _: ReplySink<Method.Reply>) in
            do {
                try BridgedDomain.require(parameters.domain)
                return Reply(try await body(parameters, call.descriptors))
            } catch {
                throw BridgedError.reply(error, conflict)
            }
        }
    }
}

/// The only domain of a bridge, whatever its name in the daemon.
enum BridgedDomain {
    /// Refuses all other domains.
    static func require(_ domain: String) throws(VarlinkCallError) {
        guard domain.isEmpty else {
            throw BridgedError.notAvailable("a client of the daemon uses only one domain of the provider")
        }
    }
}

/// The operations seen in this process, across all daemons of a case: a client's write session cannot be repeated.
enum SeenOperations {
    private static let seen = Mutex<Set<String>>([])

    /// Refuses an operation that was seen before.
    static func require(fresh operation: String) throws(VarlinkCallError) {
        let isFresh = seen.withLock { $0.insert(operation).inserted }
        guard isFresh else {
            throw BridgedError.notAvailable("a client of the daemon starts again instead of repeating an operation")
        }
    }
}
