import Testing

@testable import DriveStore

/// Sealing, keys and codes.
struct SealingTests {
    @Test("keys have the values of the vectors")
    func keysHaveTheValuesOfTheVectors() throws {
        let keys = try FixedKeys.keys()
        #expect(
            Hexadecimal.text(try keys.key(.head, epoch: FixedKeys.epoch))
                == "4d111bf3d8c0583251480d5c8da9fc4bba7f52c83809f91b9171ae95f135af25")
        #expect(
            Hexadecimal.text(ChunkIdentifier(of: Array("docent".utf8), keys: keys).bytes)
                == "af664259445af39da6e6cd778ce0bff19cefbb4927ff872aed2a3b16103e84b9")
        let phrase = RecoveryPhrase(entropy: Array(0..<20))
        #expect(phrase.text == "000GB-40R4D-0M30C-E209D-185GW-R38E8-1W81N-24GKZ")
        #expect(
            Hexadecimal.text(phrase.publicKey) == "6599ec89edca4020e9172622fac612e5b64eb31253ab5d64f6c21f31e2d4c62b")
    }

    @Test("an object opens only as itself")
    func anObjectOpensOnlyAsItself() throws {
        let keys = DriveKeys.new()
        let sealed = try SealedObject.seal([1, 2, 3], kind: .head, name: "devices/a", keys: keys)
        #expect(try SealedObject.open(sealed, kind: .head, name: "devices/a", keys: keys) == [1, 2, 3])
        #expect(throws: DriveError.self) { try SealedObject.open(sealed, kind: .head, name: "devices/b", keys: keys) }
        #expect(throws: DriveError.self) {
            try SealedObject.open(sealed, kind: .segment, name: "devices/a", keys: keys)
        }
        #expect(throws: DriveError.self) {
            try SealedObject.open(sealed, kind: .head, name: "devices/a", keys: DriveKeys.new())
        }
        #expect(sealed.count == 1 + 16 + 24 + 16 + 256)
    }

    @Test("every flipped bit is noticed")
    func everyFlippedBitIsNoticed() throws {
        let keys = DriveKeys.new()
        let sealed = try SealedObject.seal([1, 2, 3], kind: .head, name: "devices/a", keys: keys)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: DriveError.self) {
                try SealedObject.open(changed, kind: .head, name: "devices/a", keys: keys)
            }
            #expect(throws: DriveError.self) {
                try SealedObject.open(Array(sealed.prefix(index)), kind: .head, name: "devices/a", keys: keys)
            }
        }
    }

    @Test("a signature holds for its device and name only")
    func aSignatureHoldsForItsDeviceAndNameOnly() throws {
        let keys = try DeviceKeys()
        let device = DriveIdentifier.random()
        let signed = try SignedPayload(
            SignedPayload([1], kind: .head, name: "devices/a", signer: device, keys: keys).encoded)
        try signed.verify(kind: .head, name: "devices/a", signingKey: keys.signingKey)
        #expect(throws: DriveError.self) {
            try signed.verify(kind: .head, name: "devices/b", signingKey: keys.signingKey)
        }
        #expect(throws: DriveError.self) {
            try signed.verify(kind: .head, name: "devices/a", signingKey: DeviceKeys().signingKey)
        }
    }

    @Test("a phrase is read as it is written")
    func aPhraseIsReadAsItIsWritten() throws {
        let phrase = RecoveryPhrase.new()
        #expect(try RecoveryPhrase(phrase.text) == phrase)
        let sloppy = phrase.text.lowercased().replacing("-", with: " ").replacing("0", with: "o")
            .replacing("1", with: "l")
        #expect(try RecoveryPhrase(sloppy) == phrase)
        #expect(throws: DriveError.self) { try RecoveryPhrase(String(phrase.text.dropLast())) }
    }

    @Test("a slip of the pen is found in its group")
    func aSlipOfThePenIsFoundInItsGroup() throws {
        var found = 0
        for _ in 0..<200 {
            var characters = Array(RecoveryPhrase.new().text)
            characters[13] = characters[13] == "A" ? "B" : "A"
            do { _ = try RecoveryPhrase(String(characters)) } catch {
                #expect(error == .invalid("Group 3 of the code is mistyped."))
                found += 1
            }
        }
        #expect(found > 180)
    }

    @Test("keys that somebody else sealed to the phrase are refused")
    func keysThatSomebodyElseSealedToThePhraseAreRefused() throws {
        let phrase = RecoveryPhrase.new()
        let keys = DriveKeys.new()
        #expect(try phrase.open(phrase.seal(keys)) == keys)
        // The public key is in the store: whoever has it can seal, but not prove.
        let body = DriveKeys.new().value.encoded
        let forged = try #require(
            Sodium.seal(CBOR.array([.bytes(body), .bytes(Sodium.random(32))]).encoded, to: phrase.publicKey))
        #expect(
            throws: DriveError.tampered("The keys in the store were not put there by an owner of the recovery phrase.")
        ) {
            try phrase.open(forged)
        }
        #expect(throws: DriveError.self) { try RecoveryPhrase.new().open(phrase.seal(keys)) }
    }
}
