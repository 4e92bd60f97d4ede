@testable import DriveStore

/// What a drive's store returns, after its seal was opened: heads, records, lists of members, announcements of keys,
/// lists of unused packs, and the keys that a machine gets from another one. The first byte chooses the reader.
struct DriveTarget: FuzzTarget {
    let name = "drive"
    let words = [
        "\u{1}", "\u{2}", "\u{3}", "\u{4}", "\u{5}", "\u{6}", "\u{7}", "\u{8}", "\0", "P", "X ", "`", "name", "\u{18}",
    ]

    private let keys: DriveKeys
    /// Right objects, from which the mutations begin.
    let samples: [[UInt8]]

    init?() {
        let identifier = { (number: UInt8) in
            DriveIdentifier(bytes: [UInt8](repeating: number, count: 16)) ?? .root
        }
        guard
            let device = try? DeviceKeys(seed: [UInt8](repeating: 1, count: 32)),
            let old = try? DriveKeys(
                .map([
                    1: .identifier(identifier(1)), 2: .bytes([UInt8](repeating: 2, count: 32)),
                    3: .identifier(identifier(3)),
                    4: .array([.array([.identifier(identifier(3)), .bytes([UInt8](repeating: 4, count: 32))])]),
                    5: .bytes(device.boxKey),
                ]))
        else { return nil }
        keys = old
        let later = old.renewed()
        var list = MemberList()
        list.version = 2
        list.members = [
            MemberList.Member(
                identifier: identifier(5), name: "name", signingKey: device.signingKey, boxKey: device.boxKey, joined: 1
            )
        ]
        list.removals = [
            MemberList.Removal(device: identifier(5), position: .start, sequence: 3, remover: identifier(6), time: 2)
        ]
        list.epoch = later.epoch
        let stamp = Stamp(lamport: 9, device: identifier(5))
        let records = [
            RecordBody.place(item: identifier(7), parent: .root, name: "name", isFolder: true, previous: stamp),
            .arrived(version: identifier(8), packs: [identifier(9)]), .trash([.init(item: identifier(7), heads: [])]),
            .gone(list: identifier(1), packs: [identifier(9)]), .device(name: "name"),
        ].map { DriveRecord(identifier: identifier(2), stamp: stamp, time: 1, body: $0).encoded }
        var head = DriveHead(device: identifier(5), lamport: 9)
        head.tail = Array(records.prefix(2))
        head.position = LogPosition.start.adding(head.tail)
        head.unused = .init(identifier: identifier(1), digest: [UInt8](repeating: 1, count: 32))
        head.acknowledged = [identifier(2)]
        let announcement = CBOR.map([
            1: .identifier(later.epoch), 2: .identifier(old.epoch), 3: .array([.bytes([1, 2, 3])]), 4: .bytes([1]),
        ]).encoded
        let unused = CBOR.array([.identifier(identifier(9)), .identifier(identifier(8))]).encoded
        samples =
            [[0] + head.encoded, [2] + list.encoded, [3] + announcement, [4] + unused, [5] + later.value.encoded]
            + records.map { [1] + $0 } + [[6] + Self.payload(head.encoded, device, identifier(5))]
            + [[7] + ((try? SealedObject.seal([1, 2, 3], kind: .closing, name: "name", keys: old)) ?? [])]
    }

    private static func payload(_ body: [UInt8], _ keys: DeviceKeys, _ signer: DriveIdentifier) -> [UInt8] {
        SignedPayload(body, kind: .head, name: "name", signer: signer, keys: keys).encoded
    }

    func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        switch first % 8 {
        case 0: try stay("A head", body, { try DriveHead($0) }, { $0.encoded })
        case 1: try stay("A record", body, { try DriveRecord($0) }, { $0.encoded })
        case 2:
            try stay("A list of members", body, { try MemberList($0) }, { $0.encoded })
            if let list = try? MemberList(body), list.present.count + list.removals.count != list.members.count {
                throw FuzzFinding("A list of members removes somebody twice, or a stranger.")
            }
        case 3: _ = try? DriveEpoch(body, of: keys.epoch)
        case 4: _ = try? DriveDevice.packs(body)
        case 5:
            try stay("Keys", body, { try DriveKeys(CBORDecoder.decode($0)) }, { $0.value.encoded })
        case 6: try stay("A signed object", body, { try SignedPayload($0) }, { $0.encoded })
        default:
            guard body != samples.last.map({ Array($0.dropFirst()) }) else { return }
            for kind in ObjectKind.allCases
            where (try? SealedObject.open(body, kind: kind, name: "name", keys: keys)) != nil {
                throw FuzzFinding("An object that was never sealed is opened.")
            }
        }
    }

    /// What was read is written and read as the same.
    private func stay<Value>(
        _ name: String, _ bytes: [UInt8], _ read: ([UInt8]) throws -> Value, _ write: (Value) -> [UInt8]
    ) throws {
        guard let value = try? read(bytes) else { return }
        let written = write(value)
        guard let again = try? read(written), write(again) == written else {
            throw FuzzFinding("\(name) is not the same after it was written.")
        }
    }
}
