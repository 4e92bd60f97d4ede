/// What a device says under its signature: heads, segments and the list of members.
struct SignedPayload {
    let body: [UInt8]
    let signer: DriveIdentifier
    private let signature: [UInt8]

    init(_ body: [UInt8], kind: ObjectKind, name: String, signer: DriveIdentifier, keys: DeviceKeys) {
        self.body = body
        self.signer = signer
        signature = keys.sign(Self.message(body, kind: kind, name: name, signer: signer))
    }

    init(_ encoded: [UInt8]) throws(DriveError) {
        let parts = try CBORDecoder.decode(encoded).asArray(count: 3)
        body = try parts[0].asBytes()
        signer = try parts[1].asIdentifier()
        signature = try parts[2].asBytes(count: Sodium.signatureSize)
    }

    var encoded: [UInt8] { CBOR.array([.bytes(body), .identifier(signer), .bytes(signature)]).encoded }

    func verify(kind: ObjectKind, name: String, signingKey: [UInt8]) throws(DriveError) {
        let message = Self.message(body, kind: kind, name: name, signer: signer)
        guard Sodium.verify(signature, of: message, publicKey: signingKey) else {
            throw .tampered("The signature of \(name) is not that of its device.")
        }
    }

    private static func message(
        _ body: [UInt8], kind: ObjectKind, name: String, signer: DriveIdentifier
    ) -> [UInt8] {
        CBOR.array([
            .text("docent-drive-1"), .unsigned(kind.rawValue), .text(name), .identifier(signer), .bytes(body),
        ]).encoded
    }
}
