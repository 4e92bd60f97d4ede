import Testing

@testable import DriveStore

/// The encoding, with the vectors of `docs/drive-format.md`.
struct EncodingTests {
    @Test("a value has the encoding of the vectors")
    func aValueHasTheEncodingOfTheVectors() throws {
        let value = CBOR.array([
            0, 23, 24, 255, 256, -1, -500, .bytes([1]), .text("\u{E9}"), .map([24: .null, 1: .bool(true)]),
        ])
        #expect(Hexadecimal.text(value.encoded) == "8a0017181818ff190100203901f3410162c3a9a201f51818f6")
        #expect(try CBORDecoder.decode(value.encoded) == value)
    }

    @Test(
        "whatever is not the one encoding is refused",
        arguments: [
            "", "18", "1817", "190017", "1a0000ffff", "1b00000000ffffffff", "1bffffffffffffffff", "5f", "9f", "bf",
            "42ff",
            "62fffe", "a20201", "a202000100", "a201000100", "a161610a", "f7", "fb0000000000000000", "0000", "c001",
            "9bffffffffffffffff", "bbffffffffffffffff", "5bffffffffffffffff",
        ])
    func whateverIsNotTheOneEncodingIsRefused(text: String) throws {
        let bytes = try #require(Hexadecimal.bytes(text))
        #expect(throws: DriveError.self) { try CBORDecoder.decode(bytes) }
    }

    @Test("deep nesting is refused")
    func deepNestingIsRefused() {
        #expect(throws: DriveError.self) { try CBORDecoder.decode([UInt8](repeating: 0x81, count: 100_000)) }
    }

    @Test("bytes at random never trap")
    func bytesAtRandomNeverTrap() {
        var random = SeededRandom(1)
        for _ in 0..<20_000 {
            let bytes = random.bytes(Int.random(in: 0..<40, using: &random))
            if let value = try? CBORDecoder.decode(bytes) { #expect(value.encoded == bytes) }
            _ = try? DriveRecord(bytes)
            _ = try? DriveHead(bytes)
            _ = try? MemberList(bytes)
            _ = try? SignedPayload(bytes)
            _ = try? StateChange(CBOR.bytes(bytes))
        }
    }

    @Test("a record has the encoding of the vectors")
    func aRecordHasTheEncodingOfTheVectors() throws {
        let record = DriveRecord(
            identifier: try #require(DriveIdentifier(bytes: [UInt8](repeating: 1, count: 16))),
            stamp: Stamp(
                lamport: 1_700_000_000_000,
                device: try #require(DriveIdentifier(bytes: [UInt8](repeating: 2, count: 16)))),
            time: 1_700_000_000_000,
            body: .place(
                item: try #require(DriveIdentifier(bytes: [UInt8](repeating: 3, count: 16))), parent: .root,
                name: "notes.txt", isFolder: false, previous: nil))
        #expect(
            Hexadecimal.text(record.encoded)
                == "a501500101010101010101010101010101010102821b0000018bcfe5680050020202020202020202020202020202"
                + "02031b0000018bcfe56800040105a501500303030303030303030303030303030302500000000000000000000000"
                + "000000000003696e6f7465732e74787404f405f6")
        #expect(
            Hexadecimal.text(LogPosition.start.adding([record.encoded]).chain)
                == "fe475a11c18db8bd7445f5b9ef8e28426af136632ae7cc7c598aba7f42debd8c")
        #expect(try DriveRecord(record.encoded) == record)
    }

    @Test(
        "a record with an impossible name is refused",
        arguments: ["", ".", "..", "a/b", "a\0b", String(repeating: "x", count: 256)])
    func aRecordWithAnImpossibleNameIsRefused(name: String) {
        let record = DriveRecord(
            stamp: Stamp(lamport: 1, device: .random()), time: 0,
            body: .place(item: .random(), parent: .root, name: name, isFolder: true, previous: nil))
        #expect(throws: DriveError.self) { try DriveRecord(record.encoded) }
    }

    @Test("padding has the sizes of the vectors")
    func paddingHasTheSizesOfTheVectors() {
        #expect(
            [0, 256, 257, 1000, 1_000_000, 8 << 20].map(Padme.size) == [256, 256, 272, 1024, 1_015_808, 8_388_608])
    }
}
