package import FoundationEssentials

/// A call as a service receives it.
package struct IncomingCall: Sendable {
    /// The full name, such as `org.docent.Documents.Open`.
    package let method: String
    /// The parameters, a JSON object.
    package let parameters: Data
    /// The descriptors that came with the call.
    package let descriptors: DescriptorList
    /// The caller.
    package let peer: PeerCredentials
    /// The connection that the call arrived on.
    package let connection: ConnectionIdentifier
    /// Whether the caller accepts several replies.
    package let wantsMore: Bool
    /// Whether the caller expects no reply.
    package let isOneway: Bool

    /// Creates a call; the server does this for each message.
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

    /// Takes the descriptor that a parameter refers to.
    ///
    /// Throws the error reply `InvalidParameter` if there is none at that index, or it was already taken.
    package func descriptor(_ index: Int) throws(VarlinkCallError) -> OwnedDescriptor {
        do { return try descriptors.take(index) } catch { throw .invalidParameter("descriptor \(index)") }
    }

    /// Decodes parameters. Throws the error reply `InvalidParameter` if they do not fit the type.
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
