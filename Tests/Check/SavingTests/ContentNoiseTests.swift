import Foundation
import Testing

@testable import Saving

/// Whether a content turns from its type to noise. Pure.
@Suite struct ContentNoiseTests {
    private static let text = Array(String(repeating: "A letter to somebody, as people write it.\n", count: 200).utf8)
        .prefix(4096)

    /// Bytes that are spread as those of an encrypted content, the same in each run.
    private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 56)
        }
    }

    private static func typed(_ signature: [UInt8]) -> [UInt8] { signature + noise(4096 - signature.count) }

    private static let zip = typed([0x50, 0x4B, 0x03, 0x04])
    private static let jpeg = typed([0xFF, 0xD8, 0xFF, 0xE0])
    // A binary OpenPGP message begins with a packet of its own.
    private static let gpg = typed([0x85, 0x02, 0x0C, 0x03])

    @Test("A text, a picture and an archive that become noise turn; so does a short text", arguments: 1...50)
    func turns(_ seed: UInt64) {
        let noise = Self.noise(4096, seed: seed)
        for before in [Array(Self.text), Self.zip, Self.jpeg, Array("%PDF-1.7 ".utf8)] {
            #expect(ContentNoise.turns(before, into: noise))
        }
        for count in [512, 700, 1000, 2000, 3000] {
            #expect(ContentNoise.turns(Array(Self.text.prefix(40)), into: Self.noise(count, seed: seed)))
        }
    }

    @Test("Archives, pictures and encrypted documents that are saved as such never turn")
    func saved() {
        for (before, after) in [
            (Self.zip, Self.zip), (Self.jpeg, Self.jpeg), (Self.gpg, Self.gpg), (Self.gpg, Self.noise(4096)),
            (Array(Self.text), Self.zip), (Array(Self.text), Self.jpeg), (Self.zip, Array(Self.text)), ([], Self.gpg),
            (Self.noise(4096), Self.noise(4096, seed: 2)), (Array(Self.text), Array(Self.text.reversed())),
        ] {
            #expect(!ContentNoise.turns(before, into: after))
        }
    }

    @Test("Texts in other scripts and encodings are texts, and armoured ones are not noise")
    func texts() {
        let greek = Array(String(repeating: "Το αρχείο αυτό είναι ένα γράμμα. ", count: 100).utf8)
        #expect(ContentNoise.isText(Array(greek.prefix(1001))) && ContentNoise.isText(Array(greek.prefix(1000))))
        let latin = Array("Gr".utf8) + [0xFC, 0xDF] + Array("e aus der Stadt, in einem Brief".utf8)
        #expect(ContentNoise.isText(latin) && ContentNoise.isText([0xFF, 0xFE, 0x41, 0x00]))
        #expect(!ContentNoise.isText([]) && !ContentNoise.isText(Self.noise(4096)))
        let armoured = Array(Data(Self.noise(3000)).base64EncodedString().utf8)
        #expect(!ContentNoise.isNoise(armoured) && !ContentNoise.turns(Array(Self.text), into: armoured))
        #expect(!ContentNoise.isNoise(Self.noise(511)))
    }

    @Test("The entropy is 0 for one value and 8 for all values alike")
    func entropy() {
        #expect(ContentNoise.entropy([]) == 0 && ContentNoise.entropy([7, 7, 7]) == 0)
        #expect(abs(ContentNoise.entropy((0..<4096).map { UInt8($0 & 255) }) - 8) < 1e-9)
    }
}
