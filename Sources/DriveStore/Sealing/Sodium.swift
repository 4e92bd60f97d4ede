import CSodium

/// The calls of libsodium that the drive uses, with arrays.
package enum Sodium {
    private static let isReady = sodium_init() >= 0

    static let nonceSize = 24
    static let overhead = 16
    static let signatureSize = 64

    /// Random bytes.
    package static func random(_ count: Int) -> [UInt8] {
        precondition(isReady)
        var output = [UInt8](repeating: 0, count: count)
        randombytes_buf(&output, count)
        return output
    }

    /// The bytes that ChaCha20 makes of a seed of 32 bytes, always the same.
    static func expand(_ seed: [UInt8], to count: Int) -> [UInt8] {
        precondition(isReady && seed.count == 32)
        var output = [UInt8](repeating: 0, count: count)
        randombytes_buf_deterministic(&output, count, seed)
        return output
    }

    /// BLAKE2b, with a key if one is given.
    package static func hash(_ input: some Collection<UInt8>, key: [UInt8] = [], size: Int = 32) -> [UInt8] {
        precondition(isReady)
        var output = [UInt8](repeating: 0, count: size)
        let done: Void? = input.withContiguousStorageIfAvailable { bytes in
            _ = crypto_generichash(
                &output, size, bytes.baseAddress, UInt64(bytes.count), key.isEmpty ? nil : key, key.count)
        }
        if done == nil { return hash(Array(input), key: key, size: size) }
        return output
    }

    /// A key of 32 bytes derived from another.
    static func derive(_ key: [UInt8], _ number: UInt64, context: StaticString) -> [UInt8] {
        precondition(isReady && key.count == 32 && context.utf8CodeUnitCount == 8)
        var output = [UInt8](repeating: 0, count: 32)
        let name = context.withUTF8Buffer { $0.map { CChar(bitPattern: $0) } }
        _ = crypto_kdf_derive_from_key(&output, 32, number, name, key)
        return output
    }

    /// Encrypts with a random nonce, which comes first.
    static func seal(_ plain: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == 32)
        let nonce = random(nonceSize)
        var output = nonce + [UInt8](repeating: 0, count: plain.count + overhead)
        output.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress {
                _ = crypto_secretbox_easy(start + nonceSize, plain, UInt64(plain.count), nonce, key)
            }
        }
        return output
    }

    /// Decrypts what ``seal(_:key:)`` made; nil if a bit of it is different.
    static func open(_ sealed: some Collection<UInt8>, key: [UInt8]) -> [UInt8]? {
        precondition(isReady && key.count == 32)
        guard sealed.count >= nonceSize + overhead else { return nil }
        let nonce = Array(sealed.prefix(nonceSize))
        let box = Array(sealed.dropFirst(nonceSize))
        var output = [UInt8](repeating: 0, count: max(box.count - overhead, 1))
        guard crypto_secretbox_open_easy(&output, box, UInt64(box.count), nonce, key) == 0 else { return nil }
        return Array(output.prefix(box.count - overhead))
    }

    /// The Ed25519 keys of a seed of 32 bytes.
    static func signingKeys(seed: [UInt8]) -> (publicKey: [UInt8], secretKey: [UInt8]) {
        precondition(isReady && seed.count == 32)
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        _ = crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        return (publicKey, secretKey)
    }

    /// The X25519 keys of a seed of 32 bytes.
    static func boxKeys(seed: [UInt8]) -> (publicKey: [UInt8], secretKey: [UInt8]) {
        precondition(isReady && seed.count == 32)
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 32)
        _ = crypto_box_seed_keypair(&publicKey, &secretKey, seed)
        return (publicKey, secretKey)
    }

    static func sign(_ message: [UInt8], secretKey: [UInt8]) -> [UInt8] {
        precondition(isReady && secretKey.count == 64)
        var output = [UInt8](repeating: 0, count: signatureSize)
        _ = crypto_sign_detached(&output, nil, message, UInt64(message.count), secretKey)
        return output
    }

    static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        precondition(isReady)
        guard signature.count == signatureSize, publicKey.count == 32 else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    /// Encrypts for the owner of a public key, without saying who did.
    static func seal(_ plain: [UInt8], to publicKey: [UInt8]) -> [UInt8]? {
        precondition(isReady)
        guard publicKey.count == 32 else { return nil }
        var output = [UInt8](repeating: 0, count: plain.count + Int(crypto_box_sealbytes()))
        guard crypto_box_seal(&output, plain, UInt64(plain.count), publicKey) == 0 else { return nil }
        return output
    }

    static func open(sealed: [UInt8], publicKey: [UInt8], secretKey: [UInt8]) -> [UInt8]? {
        precondition(isReady)
        let extra = Int(crypto_box_sealbytes())
        guard sealed.count >= extra, publicKey.count == 32, secretKey.count == 32 else { return nil }
        var output = [UInt8](repeating: 0, count: max(sealed.count - extra, 1))
        guard crypto_box_seal_open(&output, sealed, UInt64(sealed.count), publicKey, secretKey) == 0 else { return nil }
        return Array(output.prefix(sealed.count - extra))
    }

    /// HMAC-SHA-256 with a key of any length.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(isReady)
        var state = crypto_auth_hmacsha256_state()
        var output = [UInt8](repeating: 0, count: 32)
        _ = crypto_auth_hmacsha256_init(&state, key, key.count)
        _ = crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        _ = crypto_auth_hmacsha256_final(&state, &output)
        return output
    }

    /// SHA-256, which S3 wants.
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        precondition(isReady)
        var output = [UInt8](repeating: 0, count: 32)
        _ = crypto_hash_sha256(&output, message, UInt64(message.count))
        return output
    }
}
