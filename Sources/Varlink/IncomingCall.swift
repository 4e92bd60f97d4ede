package import FoundationEssentials

/// One call as a service sees it.
package struct IncomingCall: Sendable {
    /// The full name, like `org.docent.Documents.Open`.
    package let method: String
    /// A JSON object.
    package let parameters: Data
    /// The descriptors that came with the call.
    package let descriptors: DescriptorList
    /// Who calls.
    package let peer: PeerCredentials
    /// The connection that the call came through.
    package let connection: ConnectionIdentifier
    /// The caller accepts several replies.
    package let wantsMore: Bool
    /// The caller gets no reply.
    package let isOneway: Bool

    /// A call, as the server makes it for each message.
    package init(
        method: String, parameters: Data, descriptors: DescriptorList = DescriptorList(), peer: PeerCredentials,
        connection: ConnectionIdentifier, wantsMore: Bool = false, isOneway: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.descriptors = descriptors
        self.peer = peer
        self.connection = connection
        self.wantsMore = wantsMore
        self.isOneway = isOneway
    }

    /// Reads the parameters as a type.
    ///
    /// Throws the error reply `InvalidParameter` if they do not fit. If the value refers to another number of
    /// descriptors than came along, throws an error that makes the server close the connection (T1).
    package func decode<Parameters: VarlinkMessage>(_: Parameters.Type) throws -> Parameters {
        let value = try Self.decode(Parameters.self, from: parameters)
        guard value.descriptorCount == descriptors.count else { throw ProtocolViolation() }
        return value
    }

    /// A handler found that the peer broke the rules: the connection is closed.
    struct ProtocolViolation: Error {}

    /// Takes the descriptor to which a parameter refers.
    ///
    /// Throws the error reply `InvalidParameter` if there is none at that index, or it was taken.
    package func descriptor(_ index: Int) throws(VarlinkCallError) -> OwnedDescriptor {
        do { return try descriptors.take(index) } catch { throw .invalidParameter("descriptor \(index)") }
    }

    /// Reads parameters as a type. Throws the error reply `InvalidParameter` if they do not fit.
    package static func decode<Parameters: VarlinkMessage>(
        _: Parameters.Type, from data: Data
    ) throws(VarlinkCallError) -> Parameters {
        do {
            return try JSONCoding.decode(Parameters.self, from: data)
        } catch let error as DecodingError {
            throw .invalidParameter(error.parameterPath)
        } catch {
            throw .invalidParameter("")
        }
    }
}

extension DecodingError {
    fileprivate var parameterPath: String {
        let path: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.map(\.stringValue).joined(separator: ".")
    }
}
