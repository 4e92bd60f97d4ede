import FoundationEssentials

/// A complete message to a caller, with its closing NUL and its descriptors.
struct EncodedReply: Sendable {
    let bytes: [UInt8]
    let descriptors: DescriptorList
    let descriptorCount: Int
    /// Whether ``bytes`` are overwritten after they were sent.
    private(set) var isSecret = false

    /// Wraps a parameters object.
    init(object: some Collection<UInt8>, descriptors: DescriptorList, continues: Bool = false) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(object.count + 40)
        bytes.append(contentsOf: #"{"parameters":"#.utf8)
        bytes.append(contentsOf: object)
        bytes.append(contentsOf: (continues ? #","continues":true}"# : "}").utf8)
        bytes.append(0)
        self.bytes = bytes
        self.descriptors = descriptors
        descriptorCount = descriptors.count
    }

    /// Encodes a reply. Throws `descriptorMismatch` if the list does not have the number of descriptors that the value
    /// declares.
    init<Value: VarlinkMessage>(_ reply: Reply<Value>, continues: Bool = false) throws {
        guard reply.descriptors.count == reply.value.descriptorCount else {
            throw VarlinkError(
                .descriptorMismatch, "A reply has more or fewer descriptors than its value declares.")
        }
        if let quick = reply.value.quickJSON {
            self.init(object: quick, descriptors: reply.descriptors, continues: continues)
        } else {
            let object = try JSONCoding.encode(reply.value)
            defer { if Value.hasSecrets { Wiping.wipe(object) } }
            self.init(object: object, descriptors: reply.descriptors, continues: continues)
        }
        isSecret = Value.hasSecrets
    }

    /// Encodes an error.
    init(_ error: VarlinkCallError) {
        var bytes = Array(#"{"error":"#.utf8)
        JSONCoding.append(string: error.name, to: &bytes)
        bytes.append(contentsOf: #","parameters":"#.utf8)
        bytes.append(contentsOf: error.parameters)
        bytes.append(contentsOf: [UInt8(ascii: "}"), 0])
        self.bytes = bytes
        descriptors = DescriptorList()
        descriptorCount = 0
    }

    /// This reply followed by another, as one piece of the stream. Neither may have descriptors.
    func followed(by other: EncodedReply) -> EncodedReply { EncodedReply(bytes: bytes + other.bytes) }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        descriptors = DescriptorList()
        descriptorCount = 0
    }

    /// Returns this reply. Throws if it exceeds a limit.
    func checked(_ limits: ServerLimits) throws(VarlinkError) -> EncodedReply {
        guard bytes.count <= limits.messageBytes + 1 else {
            throw VarlinkError(.messageTooLarge, "A reply has more than \(limits.messageBytes) bytes.")
        }
        guard descriptorCount <= limits.descriptorsPerMessage else {
            throw VarlinkError(
                .descriptorMismatch, "A reply has more than \(limits.descriptorsPerMessage) descriptors.")
        }
        return self
    }
}
