/// The phrase that opens a drive when no device is at hand: 160 random bits as ``CodeGroups``.
package struct RecoveryPhrase: Hashable, Sendable {
    private let entropy: [UInt8]

    /// A new one.
    package static func new() -> RecoveryPhrase { RecoveryPhrase(entropy: Sodium.random(20)) }

    init(entropy: [UInt8]) { self.entropy = entropy }

    /// Reads what a person typed.
    ///
    /// - Throws: ``DriveError/invalid(_:)``, which names the first wrong group.
    package init(_ text: String) throws(DriveError) { entropy = try CodeGroups.bytes(text) }

    /// Eight groups with hyphens between them.
    package var text: String { CodeGroups.text(entropy) }

    private var root: [UInt8] { Sodium.hash(entropy, key: Array("docent drive recovery phrase 1".utf8)) }
    private var box: (publicKey: [UInt8], secretKey: [UInt8]) {
        Sodium.boxKeys(seed: Sodium.derive(root, 1, context: "DocPhras"))
    }
    private var proofKey: [UInt8] { Sodium.derive(root, 2, context: "DocPhras") }

    /// Opens the keys of a later epoch, which a device has sealed to ``publicKey``; nil if they are sealed to another.
    func openLater(_ sealed: [UInt8]) -> [UInt8]? {
        let pair = box
        return Sodium.open(sealed: sealed, publicKey: pair.publicKey, secretKey: pair.secretKey)
    }

    /// The public key that epochs are sealed to.
    package var publicKey: [UInt8] { box.publicKey }

    /// Seals keys so that this phrase alone opens them, and so that it notices keys of somebody else.
    package func seal(_ keys: DriveKeys) -> [UInt8] {
        let body = keys.value.encoded
        return Sodium.seal(CBOR.array([.bytes(body), .bytes(Sodium.hash(body, key: proofKey))]).encoded, to: publicKey)
            ?? []
    }

    /// Opens what ``seal(_:)`` made.
    ///
    /// - Throws: ``DriveError/invalid(_:)`` for another phrase, ``DriveError/tampered(_:)`` for keys that do not come
    ///   from an owner of the phrase.
    package func open(_ sealed: [UInt8]) throws(DriveError) -> DriveKeys {
        let pair = box
        guard let plain = Sodium.open(sealed: sealed, publicKey: pair.publicKey, secretKey: pair.secretKey) else {
            throw .invalid("The recovery phrase belongs to another drive.")
        }
        let parts = try CBORDecoder.decode(plain).asArray(count: 2)
        let body = try parts[0].asBytes()
        guard try parts[1].asBytes() == Sodium.hash(body, key: proofKey) else {
            throw .tampered("The keys in the store were not put there by an owner of the recovery phrase.")
        }
        return try DriveKeys(try CBORDecoder.decode(body))
    }
}
