import FoundationEssentials

/// Encodes a client's calls and decodes the replies.
enum ClientMessage {
    enum Kind {
        case plain
        case more
    }

    /// Encodes a call with its closing NUL. Throws `messageTooLarge`, `descriptorMismatch`, or an encoding error.
    static func call<P: VarlinkMessage>(
        _ method: String, _ parameters: P, descriptors: DescriptorList, kind: Kind
    ) throws -> [UInt8] {
        guard parameters.descriptorCount == descriptors.count else {
            throw VarlinkError(.descriptorMismatch, "A call has more or fewer descriptors than its type declares.")
        }
        let object = try JSONCoding.encode(parameters)
        defer { if P.hasSecrets { Wiping.wipe(object) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(object.count + method.utf8.count + 48)
        bytes.append(contentsOf: #"{"method":"#.utf8)
        JSONCoding.append(string: method, to: &bytes)
        bytes.append(contentsOf: #","parameters":"#.utf8)
        bytes.append(contentsOf: object)
        switch kind {
        case .plain: break
        case .more: bytes.append(contentsOf: #","more":true"#.utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0)
        try check(bytes, descriptors)
        return bytes
    }

    /// Throws if the peer would close the connection because of this message.
    static func check(_ message: borrowing [UInt8], _ descriptors: DescriptorList) throws(VarlinkError) {
        guard message.count <= ClientChannel.limits.messageBytes + 1 else {
            throw VarlinkError(.messageTooLarge, "A call has more than \(ClientChannel.limits.messageBytes) bytes.")
        }
        guard descriptors.count <= ClientChannel.limits.descriptorsPerMessage else {
            throw VarlinkError(
                .descriptorMismatch, "A call has more than \(ClientChannel.limits.descriptorsPerMessage) descriptors.")
        }
    }

    /// A reply of either kind.
    enum Answer<R: VarlinkMessage>: Sendable {
        case value(R, continues: Bool)
        case error(VarlinkCallError)

        var descriptorCount: Int {
            switch self {
            case .value(let value, _): value.descriptorCount
            case .error: 0
            }
        }
    }

    /// Decodes a reply without its NUL.
    static func answer<R: VarlinkMessage>(_: R.Type, _ bytes: UnsafeBufferPointer<UInt8>) throws -> Answer<R> {
        let envelope = try EnvelopeScanner.scan(bytes, depthLimit: ClientChannel.limits.depth)
        if envelope.error == nil, let range = envelope.parameters,
            let value = R.quickValue(UnsafeBufferPointer(rebasing: bytes[range]))
        {
            return .value(value, continues: envelope.continues)
        }
        let parameters = envelope.parameters.map { Data(bytes[$0]) } ?? Data("{}".utf8)
        if let error = envelope.error {
            return .error(VarlinkCallError(name: error, parameters: parameters))
        }
        defer { if R.hasSecrets { Wiping.wipe(parameters) } }
        do {
            return .value(try JSONCoding.decode(R.self, from: parameters), continues: envelope.continues)
        } catch {
            throw VarlinkError(.malformed, "A reply does not fit its type: " + DecodingText.words(of: error) + ".")
        }
    }
}
