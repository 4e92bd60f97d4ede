package import Varlink

extension VarlinkConnection {
    /// Calls a method and waits without blocking a thread of the cooperative pool.
    ///
    /// - Throws: ``Failure`` when the service answers with an error or the connection fails.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        deadline: Duration? = nil
    ) async throws -> Reply<Method.Reply> {
        do {
            return try await call(method.name, parameters, descriptors: descriptors, deadline: deadline)
        } catch {
            throw Failure.from(error)
        }
    }

    /// Calls a method and blocks the calling thread.
    ///
    /// - Throws: ``Failure`` when the service answers with an error or the connection fails.
    package func callBlocking<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        deadline: Duration? = nil
    ) throws -> Reply<Method.Reply> {
        do {
            return try callBlocking(method.name, parameters, descriptors: descriptors, deadline: deadline)
        } catch {
            throw Failure.from(error)
        }
    }
}

extension Failure {
    /// Converts any error of a call: error replies are decoded, and transport errors become
    /// ``FailureCode/unavailable``.
    package static func from(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let reply as VarlinkCallError: Failure(reply)
        case let transport as VarlinkError:
            switch transport.code {
            case .cancelled: Failure(.cancelled, "The call was cancelled.")
            case .timedOut: Failure(.deadlineExceeded, "No answer arrived in time.")
            default: Failure(.unavailable, transport.message, suggestion: "Try again.")
            }
        case is CancellationError: Failure(.cancelled, "The call was cancelled.")
        default: Failure(.failed, String(describing: error))
        }
    }
}
