/// One step of a device's state, as its file records it.
enum StateChange: Sendable {
    case joining(DriveIdentifier)
    case joined(DriveHead, digest: [UInt8], tag: String?, journal: [DriveRecord])
    case identityLost
    case journaled([DriveRecord])
    case pending(DeviceState.Pending)
    case appended(tag: String?)
    case ownTag(String)
    case received(DriveIdentifier, [DriveRecord], upTo: LogPosition)
    case headSeen(DriveIdentifier, DeviceState.SeenHead)
    case members(MemberList, tag: String?)
    case checkpointMade(DriveHead.CheckpointReference, floor: UInt64)
    case checkpointLoaded(Checkpoint)
    case confirmed(DriveIdentifier, DriveHead.CheckpointReference)
    /// The keys of a later epoch, sealed to this device.
    case epoch(DriveIdentifier, box: [UInt8])
    /// A device, or this one, announces that it will remove packs.
    case listed(DriveIdentifier, DeviceState.UnusedList)
    case unlisted(DriveIdentifier)
    /// Packs of which something is missing or was changed.
    case damaged([DriveIdentifier])

    var value: CBOR {
        switch self {
        case .joining(let identifier): return .array([0, .identifier(identifier)])
        case .joined(let head, let digest, let tag, let journal):
            return .array([1, .bytes(head.encoded), .bytes(digest), Self.text(tag), Self.records(journal)])
        case .identityLost: return .array([2])
        case .journaled(let journal): return .array([3, Self.records(journal)])
        case .pending(let next):
            return .array([4, .bytes(next.head.encoded), .bytes(next.sealed), .unsigned(next.count)])
        case .appended(let tag): return .array([5, Self.text(tag)])
        case .ownTag(let tag): return .array([6, .text(tag)])
        case .received(let device, let records, let position):
            return .array([7, .identifier(device), Self.records(records), position.value])
        case .headSeen(let device, let head):
            return .array([
                8, .identifier(device), .unsigned(head.sequence), .bytes(head.digest), .text(head.tag),
                .unsigned(head.lamport),
            ])
        case .members(let list, let tag): return .array([9, .bytes(list.encoded), Self.text(tag)])
        case .checkpointMade(let reference, let floor): return .array([10, reference.value, .unsigned(floor)])
        case .checkpointLoaded(let checkpoint):
            let parts = checkpoint.parts
            return .array([11, .bytes(checkpoint.index(of: parts)), .array(parts.map { .bytes($0) })])
        case .confirmed(let device, let reference): return .array([12, .identifier(device), reference.value])
        case .listed(let device, let list):
            return .array([
                14, .identifier(device), list.reference.value, .array(list.packs.sorted().map { .identifier($0) }),
                .unsigned(list.lamport),
            ])
        case .unlisted(let device): return .array([15, .identifier(device)])
        case .damaged(let packs): return .array([16, .array(packs.map { .identifier($0) })])
        case .epoch(let epoch, let box): return .array([13, .identifier(epoch), .bytes(box)])
        }
    }

    init(_ value: CBOR) throws(DriveError) {
        let parts = try value.asArray()
        guard let first = parts.first else { throw .malformed("A change of the state is empty.") }
        let fields = Dictionary(uniqueKeysWithValues: parts.enumerated().map { (UInt64($0), $1) })
        switch try first.asUnsigned() {
        case 0: self = .joining(try fields.required(1).asIdentifier())
        case 1:
            self = .joined(
                try DriveHead(fields.required(1).asBytes()), digest: try fields.required(2).asBytes(),
                tag: try fields.optional(3)?.asText(), journal: try Self.records(fields.required(4)))
        case 2: self = .identityLost
        case 3: self = .journaled(try Self.records(fields.required(1)))
        case 4:
            self = .pending(
                DeviceState.Pending(
                    head: try DriveHead(fields.required(1).asBytes()), sealed: try fields.required(2).asBytes(),
                    count: try fields.required(3).asCount()))
        case 5: self = .appended(tag: try fields.optional(1)?.asText())
        case 6: self = .ownTag(try fields.required(1).asText())
        case 7:
            self = .received(
                try fields.required(1).asIdentifier(), try Self.records(fields.required(2)),
                upTo: try LogPosition(fields.required(3)))
        case 8:
            self = .headSeen(
                try fields.required(1).asIdentifier(),
                DeviceState.SeenHead(
                    sequence: try fields.required(2).asUnsigned(), digest: try fields.required(3).asBytes(),
                    tag: try fields.required(4).asText(), lamport: try fields.required(5).asUnsigned()))
        case 9:
            self = .members(try MemberList(fields.required(1).asBytes()), tag: try fields.optional(2)?.asText())
        case 10:
            self = .checkpointMade(
                try DriveHead.CheckpointReference(fields.required(1)), floor: try fields.required(2).asUnsigned())
        case 11:
            var bytes: [[UInt8]] = []
            for part in try fields.required(2).asArray() { bytes.append(try part.asBytes()) }
            self = .checkpointLoaded(try Checkpoint(index: fields.required(1).asBytes(), parts: bytes))
        case 12:
            self = .confirmed(
                try fields.required(1).asIdentifier(), try DriveHead.CheckpointReference(fields.required(2)))
        case 13: self = .epoch(try fields.required(1).asIdentifier(), box: try fields.required(2).asBytes())
        case 14:
            self = .listed(
                try fields.required(1).asIdentifier(),
                DeviceState.UnusedList(
                    reference: try DriveHead.CheckpointReference(fields.required(2)),
                    packs: Set(try CBOR.identifiers(fields.required(3))),
                    lamport: try fields.required(4).asUnsigned()))
        case 15: self = .unlisted(try fields.required(1).asIdentifier())
        case 16: self = .damaged(try CBOR.identifiers(fields.required(1)))
        default: throw .malformed("A change of the state has an unknown kind.")
        }
    }

    private static func text(_ text: String?) -> CBOR { text.map { .text($0) } ?? .null }
    private static func records(_ records: [DriveRecord]) -> CBOR { .array(records.map { .bytes($0.encoded) }) }
    private static func records(_ value: CBOR) throws(DriveError) -> [DriveRecord] {
        var output: [DriveRecord] = []
        for entry in try value.asArray() { output.append(try DriveRecord(entry.asBytes())) }
        return output
    }
}

extension CBOR: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
