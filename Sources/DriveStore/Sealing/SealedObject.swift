/// An object as the store has it: a version, the epoch, a nonce and a box. Kind and name are sealed inside, so that the
/// store cannot pass one object off as another.
package enum SealedObject {
    private static let version: UInt8 = 1

    /// Seals a payload.
    package static func seal(
        _ payload: [UInt8], kind: ObjectKind, name: String, keys: DriveKeys
    ) throws(DriveError) -> [UInt8] {
        var plain = CBOR.array([.unsigned(kind.rawValue), .text(name), .bytes(payload)]).encoded
        plain += [UInt8](repeating: 0, count: Padme.size(of: plain.count) - plain.count)
        return [version] + keys.epoch.bytes + Sodium.seal(plain, key: try keys.key(kind, epoch: keys.epoch))
    }

    /// The epoch whose key an object is sealed with; nil for something that is no sealed object.
    static func epoch(of object: [UInt8]) -> DriveIdentifier? {
        object.count > 17 && object[0] == version ? DriveIdentifier(bytes: object[1..<17]) : nil
    }

    /// Opens an object.
    ///
    /// - Throws: ``DriveError/tampered(_:)`` when a bit is different or it is another object.
    package static func open(
        _ object: [UInt8], kind: ObjectKind, name: String, keys: DriveKeys
    ) throws(DriveError) -> [UInt8] {
        guard object.count > 17, object[0] == version, let epoch = DriveIdentifier(bytes: object[1..<17]) else {
            throw .malformed("\(name) is not sealed in the way of version 1.")
        }
        guard let plain = Sodium.open(object[17...], key: try keys.key(kind, epoch: epoch)) else {
            throw .tampered("\(name) was changed.")
        }
        var decoder = CBORDecoder(plain)
        let parts = try decoder.next().asArray(count: 3)
        guard plain[decoder.position...].allSatisfy({ $0 == 0 }) else {
            throw .malformed("\(name) is not padded with zeros.")
        }
        guard try parts[0].asUnsigned() == kind.rawValue, try parts[1].asText() == name else {
            throw .tampered("Another object stands in the place of \(name).")
        }
        return try parts[2].asBytes()
    }
}
