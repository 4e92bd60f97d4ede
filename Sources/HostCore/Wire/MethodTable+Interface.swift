package import DocentInterfaces
import Glibc
import Records
package import Rights
package import Storage
package import Varlink

extension MethodTable {
    /// Registers a method of an interface that is answered in a task.
    package mutating func call<Method: InterfaceMethod>(
        _ method: Method.Type, changesState: Bool = false,
        _ body: @escaping @Sendable (Method.Parameters, IncomingCall) async throws -> Reply<Method.Reply>
    ) {
        call(method.shortName, changesState: changesState, Method.Parameters.self, body)
    }
}

extension DescriptorList {
    /// A list with one descriptor, taken from its holder.
    package convenience init(_ holder: OpenDescriptor) throws {
        guard let number = holder.take() else { throw Failure(.failed, "The file descriptor was already handed over.") }
        self.init(OwnedDescriptor(number))
    }
}

extension OwnedDescriptor {
    /// A duplicate of a descriptor; the original stays open.
    package init(duplicating number: CInt) throws {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else {
            throw Failure(.unavailable, "There are no file descriptors left.", suggestion: "Try again.")
        }
        self.init(copy)
    }
}

extension Principal {
    /// The principal on the wire.
    package var wire: Wire.Principal {
        Wire.Principal(kind: kind.rawValue, identifier: identifier, strength: strength.rawValue)
    }
}

/// Turns whatever a service throws into a failure of the client interfaces.
package enum FailureMapping {
    /// The failure to answer with.
    package static func failure(_ error: any Error) -> Failure {
        switch error {
        case let error as FileSystemError: fileSystem(error)
        case let error as JournalError: journal(error)
        case let error as AccessError: Failure(.notPermitted, "\(error)")
        case let error as HostDatabaseError: Failure(error.code == .full ? .noSpace : .unavailable, error.message)
        case let error as any FailureConvertible: error.failure
        case is CancellationError: Failure(.cancelled, "The call was cancelled.")
        default: Failure.from(error)
        }
    }

    private static func journal(_ error: JournalError) -> Failure {
        switch error {
        case .unknownOperation: Failure(.notFound, "There is no such operation.", suggestion: "Begin a new one.")
        case .unreadable: Failure(.failed, "\(error)")
        default: Failure(.conflict, "\(error)")
        }
    }

    private static func fileSystem(_ error: FileSystemError) -> Failure {
        let code: FailureCode =
            switch error.code {
            case .notFound: .notFound
            case .exists, .changed: .conflict
            case .denied, .readOnly: .notPermitted
            case .noSpace: .noSpace
            case .cancelled: .cancelled
            case .deadline: .deadlineExceeded
            case .unacceptable, .badName, .tooLarge: .invalidArgument
            case .unsupported: .notSupported
            default: .failed
            }
        return Failure(code, error.message, suggestion: error.remedy.isEmpty ? nil : error.remedy)
    }
}
