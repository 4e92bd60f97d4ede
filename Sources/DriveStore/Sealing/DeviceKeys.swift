/// The secrets of one device.
package struct DeviceKeys: Hashable, Sendable {
    /// The 32 bytes that all its keys derive from.
    package let seed: [UInt8]
    private let signing: [UInt8]
    /// The key that checks its signatures.
    package let signingKey: [UInt8]
    /// The key that others seal to it with.
    package let boxKey: [UInt8]
    private let boxSecret: [UInt8]

    /// The keys of a seed; a new one by default.
    ///
    /// - Throws: ``DriveError/malformed(_:)`` for a seed that does not have 32 bytes.
    package init(seed: [UInt8] = Sodium.random(32)) throws(DriveError) {
        guard seed.count == 32 else { throw .malformed("The seed of the device's keys does not have 32 bytes.") }
        self.seed = seed
        (signingKey, signing) = Sodium.signingKeys(seed: Sodium.derive(seed, 1, context: "DocDevKy"))
        (boxKey, boxSecret) = Sodium.boxKeys(seed: Sodium.derive(seed, 2, context: "DocDevKy"))
    }

    func sign(_ message: [UInt8]) -> [UInt8] { Sodium.sign(message, secretKey: signing) }

    func open(_ sealed: [UInt8]) -> [UInt8]? { Sodium.open(sealed: sealed, publicKey: boxKey, secretKey: boxSecret) }

    package static func == (left: DeviceKeys, right: DeviceKeys) -> Bool { left.seed == right.seed }
    package func hash(into hasher: inout Hasher) { hasher.combine(seed) }
}
