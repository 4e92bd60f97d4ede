/// A short-lived code by which a device that is in the drive lets another one in. The code alone opens no key: it only
/// protects what the two say to each other.
package struct Invitation: Hashable, Sendable {
    /// Who wants to come in.
    package struct Guest: Hashable, Sendable {
        /// The device's name for people.
        package let name: String
        let boxKey: [UInt8]

        /// Names the guest's key, so that nobody else is let in than the one whom a person saw.
        package var fingerprint: String { Hexadecimal.text(Sodium.hash(boxKey).prefix(8)) }
    }

    private let code: [UInt8]

    /// A new one.
    package static func new() -> Invitation { Invitation(code: Sodium.random(20)) }

    private init(code: [UInt8]) { self.code = code }

    /// Reads what a person typed.
    ///
    /// - Throws: ``DriveError/invalid(_:)``, which names the first wrong group.
    package init(_ text: String) throws(DriveError) { code = try CodeGroups.bytes(text) }

    /// What the person types on the other machine.
    package var text: String { CodeGroups.text(code) }

    private var root: [UInt8] { Sodium.hash(code, key: Array("docent drive invitation 1".utf8)) }
    private var key: [UInt8] { Sodium.derive(root, 1, context: "DocInvit") }
    private var place: String {
        "joining/" + Hexadecimal.text(Sodium.derive(root, 2, context: "DocInvit").prefix(16))
    }
    private var note: StoreKey { StoreKey(place + ".invitation") }
    private var request: StoreKey { StoreKey(place + ".request") }
    private var answer: StoreKey { StoreKey(place + ".answer") }

    /// The host's part: says in the store that the code is good, and until when.
    ///
    /// - Parameter expires: Milliseconds since 1970 by the host's clock.
    package func announce(_ store: any ObjectStore, until expires: Int64) async throws(DriveError) {
        try await store.publish(note, Sodium.seal(CBOR.array([.integer(expires)]).encoded, key: key))
    }

    /// Until when the code is good, in milliseconds since 1970; nil if nobody has invited with it, or the invitation
    /// has ended.
    package func expiry(_ store: any ObjectStore) async throws(DriveError) -> Int64? {
        guard let object = try await store.get(note) else { return nil }
        guard let plain = Sodium.open(object.bytes, key: key) else { throw .tampered("The invitation was changed.") }
        return try CBORDecoder.decode(plain).asArray(count: 1)[0].asInteger()
    }

    /// The guest's part: asks to be let in. A repetition of the same request is no error.
    ///
    /// - Throws: ``DriveError/invalid(_:)`` for a code that nobody has invited with, and one that is no longer good.
    package func ask(
        _ store: any ObjectStore, name: String, as keys: DeviceKeys, now: Int64 = DriveClock.milliseconds()
    ) async throws(DriveError) {
        guard let expires = try await expiry(store) else {
            throw .invalid(
                "Nobody has invited with this code to the drive in that place, or the invitation has ended. Make a "
                    + "new one with `docent drive invite`.")
        }
        guard now <= expires else {
            throw .invalid(
                "The invitation has expired, by the clock of this machine. Make a new one with `docent drive invite`.")
        }
        let plain = CBOR.array([.text(name), .bytes(keys.boxKey)]).encoded
        if case .written = try await store.create(request, Sodium.seal(plain, key: key)) { return }
        guard let guest = try await guest(store), guest.boxKey == keys.boxKey else {
            throw .invalid("The code was used by another device already. Make a new one with `docent drive invite`.")
        }
    }

    /// The host's part: who used the code; nil if nobody has yet.
    package func guest(_ store: any ObjectStore) async throws(DriveError) -> Guest? {
        guard let object = try await store.get(request) else { return nil }
        guard let plain = Sodium.open(object.bytes, key: key) else { throw .tampered("The request was changed.") }
        let parts = try CBORDecoder.decode(plain).asArray(count: 2)
        return Guest(name: try parts[0].asText(), boxKey: try parts[1].asBytes(count: 32))
    }

    /// The host's part: lets the guest in, after a person agreed.
    package func admit(
        _ guest: Guest, to store: any ObjectStore, keys: DriveKeys, view: [DriveDevice.HeadView]
    ) async throws(DriveError) {
        let body = CBOR.array([keys.value, .array(view.map(\.value))]).encoded
        guard let box = Sodium.seal(body, to: guest.boxKey) else { throw .invalid("The guest's key is not one.") }
        let sealed = Sodium.seal(box, key: key)
        if case .refused = try await store.create(answer, sealed), try await store.get(answer)?.bytes != sealed {
            throw .invalid("The code was used already.")
        }
    }

    /// The guest's part: the keys and the host's view of all heads; nil if there is no answer yet.
    package func answer(
        _ store: any ObjectStore, to keys: DeviceKeys
    ) async throws(DriveError) -> (keys: DriveKeys, view: [DriveDevice.HeadView])? {
        guard let object = try await store.get(answer) else { return nil }
        guard let box = Sodium.open(object.bytes, key: key), let body = keys.open(box) else {
            throw .tampered("The answer is for another machine, or was changed. Make a new invitation.")
        }
        let parts = try CBORDecoder.decode(body).asArray(count: 2)
        var view: [DriveDevice.HeadView] = []
        for value in try parts[1].asArray() { view.append(try DriveDevice.HeadView(value)) }
        return (try DriveKeys(parts[0]), view)
    }

    /// The guest's part: takes the request back.
    package func withdraw(_ store: any ObjectStore) async throws(DriveError) { try await store.delete(request) }

    /// Removes what both have written.
    package func clear(_ store: any ObjectStore) async throws(DriveError) {
        try await store.delete(note)
        try await store.delete(request)
        try await store.delete(answer)
    }
}

extension DriveDevice {
    /// What a device knows of another's head, for one that joins.
    package struct HeadView: Hashable, Sendable {
        let device: DriveIdentifier
        let sequence: UInt64
        let digest: [UInt8]
        let lamport: UInt64

        init(device: DriveIdentifier, sequence: UInt64, digest: [UInt8], lamport: UInt64) {
            self.device = device
            self.sequence = sequence
            self.digest = digest
            self.lamport = lamport
        }

        /// Reads what ``value`` made.
        ///
        /// - Throws: ``DriveError/malformed(_:)``.
        package init(_ value: CBOR) throws(DriveError) {
            let parts = try value.asArray(count: 4)
            self.init(
                device: try parts[0].asIdentifier(), sequence: try parts[1].asUnsigned(),
                digest: try parts[2].asBytes(count: 32), lamport: try parts[3].asUnsigned())
        }

        /// What an answer and the keyring carry.
        package var value: CBOR {
            .array([.identifier(device), .unsigned(sequence), .bytes(digest), .unsigned(lamport)])
        }
    }

    /// What this device knows of all heads.
    package var view: [HeadView] {
        var views = state.seen.map { device, seen in
            HeadView(device: device, sequence: seen.sequence, digest: seen.digest, lamport: seen.lamport)
        }
        if let own = state.own {
            views.append(
                HeadView(
                    device: own.head.device, sequence: own.head.sequence, digest: own.digest, lamport: own.head.lamport)
            )
        }
        return views.sorted { $0.device < $1.device }
    }

    /// Remembers what the device that let this one in knew of all heads: from now on the store cannot show older ones.
    package func remember(_ view: [HeadView]) throws(DriveError) {
        try commit(
            view.filter { state.seen[$0.device] == nil && $0.device != state.device }.map {
                .headSeen(
                    $0.device,
                    DeviceState.SeenHead(sequence: $0.sequence, digest: $0.digest, tag: "", lamport: $0.lamport))
            })
    }
}
