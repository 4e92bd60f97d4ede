import DocentInterfaces
import Varlink

extension MethodTable {
    /// Adds a method. An error thrown by its body becomes an error of this interface.
    mutating func add<Method: InterfaceMethod>(
        _ method: Method.Type, changesState: Bool = false,
        _ body: @escaping @Sendable (Method.Parameters, IncomingCall) async throws -> Reply<Method.Reply>
    ) {
        let interface = interface
        call(Method.shortName, changesState: changesState, Method.Parameters.self) { parameters, call in
            do {
                return try await HostCall.$current.withValue(HostCall(Method.shortName, parameters)) {
                    try await body(parameters, call)
                }
            } catch {
                throw FileProviderError(wrapping: error).failure.callError(interface: interface)
            }
        }
    }

    /// Adds a method that answers several times, or once if it does not require `more` and is called without it.
    mutating func addStream<Method: InterfaceMethod>(
        _ method: Method.Type, requiresMore: Bool = true,
        _ body:
            @escaping @Sendable (Method.Parameters, IncomingCall, ReplySink<Method.Reply>) async throws
            -> Reply<Method.Reply>
    ) {
        let interface = interface
        stream(Method.shortName, requiresMore: requiresMore, Method.Parameters.self) { parameters, call, sink in
            do {
                return try await HostCall.$current.withValue(HostCall(Method.shortName, parameters)) {
                    try await body(parameters, call, sink)
                }
            } catch {
                throw FileProviderError(wrapping: error).failure.callError(interface: interface)
            }
        }
    }
}
