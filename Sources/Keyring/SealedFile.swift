import CCrypto
import Glibc

/// The file of the last rung: AES-256-GCM, with the key in another file beside it. A lock excludes other processes. If
/// the process ends at any point, the file is either the old or the new one, complete. Calls block.
struct SealedFile {
    struct Entry {
        var key: CredentialKey
        var label: String
        var secret: Secret
    }

    private static let magic = Array("DOCSEAL1".utf8)
    private static let nonceLength = 12
    private static let tagLength = 16
    private static let keyLength = 32
    /// The largest size of the file in bytes.
    private static let limit = 256 << 20

    let path: String
    let keyPath: String

    /// Creates the file's description.
    ///
    /// - Parameter directory: the daemon's data directory.
    init(directory: String) {
        path = directory + "/credentials.sealed"
        keyPath = directory + "/credentials.key"
    }

    var exists: Bool { PrivateFile.exists(path) }

    /// The entries of the file; empty when it does not exist. It is always replaced as a whole, so no lock is needed.
    ///
    /// - Throws: ``KeyringError/damaged(_:)`` when it cannot be decrypted, ``KeyringError/unavailable(_:)`` when it
    ///   cannot be read.
    func entries() throws(KeyringError) -> [Entry] {
        guard let sealed = try Self.reading(path, limit: Self.limit) else { return [] }
        guard let key = try Self.reading(keyPath, limit: Self.keyLength) else {
            throw .damaged(
                "The key of \(path), \(keyPath), is missing. Restore it; without a copy, move the file away and sign in again."
            )
        }
        guard let plain = sealed.withBytes({ Self.open($0, key: key) }), let entries = plain.entries() else {
            throw .damaged(
                "\(path) cannot be decrypted with \(keyPath): one of them was changed. Restore both; without copies, move "
                    + "both away and sign in again.")
        }
        return entries
    }

    /// Changes the file under the lock if the closure returns true.
    ///
    /// - Returns: the closure's result.
    func change(
        until deadline: ContinuousClock.Instant, _ body: (inout [Entry]) -> Bool
    ) throws(KeyringError) -> Bool {
        let lock = try FileLock(path + ".lock", until: deadline)
        defer { withExtendedLifetime(lock) {} }
        var entries = try entries()
        guard body(&entries) else { return false }
        let sealed = try Self.seal(entries, key: try sealingKey())
        do throws(PrivateFile.Problem) {
            try PrivateFile.write(Secret(sealed), to: path, replacing: true)
        } catch {
            throw .unavailable("\(error.why).")
        }
        return true
    }

    // MARK: Key

    /// The key, created if necessary. Call it under the lock.
    private func sealingKey() throws(KeyringError) -> Secret {
        if let key = try Self.reading(keyPath, limit: Self.keyLength) { return key }
        var generator = SystemRandomNumberGenerator()
        let key = Secret((0..<Self.keyLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        do throws(PrivateFile.Problem) {
            try PrivateFile.write(key, to: keyPath, replacing: false)
        } catch {
            throw .unavailable("\(error.why).")
        }
        return key
    }

    private static func reading(_ path: String, limit: Int) throws(KeyringError) -> Secret? {
        do throws(PrivateFile.Problem) {
            return try PrivateFile.read(path, limit: limit, isOwn: true)
        } catch {
            throw .unavailable("\(error.why).")
        }
    }

    // MARK: Content

    private static func seal(_ entries: [Entry], key: Secret) throws(KeyringError) -> [UInt8] {
        let plain = WipingBuffer()
        for entry in entries {
            plain.appendFields(entry.key)
            plain.appendField(entry.label)
            plain.appendField(entry.secret)
        }
        // libcrypto needs at least one byte.
        plain.appendField("end")
        guard plain.count <= limit - 4096 else { throw .failed("\(entries.count) secrets are too many for one file") }
        var generator = SystemRandomNumberGenerator()
        var sealed = magic
        for _ in 0..<nonceLength { sealed.append(UInt8.random(in: .min ... .max, using: &generator)) }
        let header = sealed.count
        sealed += [UInt8](repeating: 0, count: plain.count + tagLength)
        let count = plain.count
        let done = sealed.withUnsafeMutableBufferPointer { file in
            key.withBytes { key in
                guard let start = file.baseAddress, key.count == keyLength else { return false }
                return docent_aes_256_gcm_seal(
                    key.baseAddress?.assumingMemoryBound(to: UInt8.self), start + magic.count, start,
                    Int32(magic.count), plain.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(count),
                    start + header, start + header + count) == 1
            }
        }
        guard done else { throw .damaged("The key of the sealed file is invalid.") }
        return sealed
    }

    /// Decrypts the content; nil when the key or any byte is wrong.
    private static func open(_ file: UnsafeRawBufferPointer, key: Secret) -> SealedContent? {
        let header = magic.count + nonceLength
        let count = file.count - header - tagLength
        guard count > 0, file.prefix(magic.count).elementsEqual(magic), key.count == keyLength,
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        let plain = WipingBuffer(capacity: count)
        let isDone = key.withBytes { key in
            var opened = false
            plain.append(atMost: count) { room in
                opened =
                    docent_aes_256_gcm_open(
                        key.baseAddress?.assumingMemoryBound(to: UInt8.self), start + magic.count, start,
                        Int32(magic.count), start + header, Int32(count), start + header + count,
                        room.baseAddress?.assumingMemoryBound(to: UInt8.self)) == 1
                return count
            }
            return opened
        }
        return isDone ? SealedContent(plain: plain) : nil
    }

    private struct SealedContent {
        let plain: WipingBuffer

        func entries() -> [Entry]? {
            var reader = FieldReader(plain.bytes)
            var entries: [Entry] = []
            do throws(FieldReader.Malformed) {
                while true {
                    let first = try reader.text()
                    if reader.isAtEnd { return first == "end" ? entries : nil }
                    let key = CredentialKey(
                        accessGroup: first, provider: try reader.text(), domain: try reader.text(),
                        account: try reader.text())
                    entries.append(Entry(key: key, label: try reader.text(), secret: try reader.secret()))
                }
            } catch {
                return nil
            }
        }
    }
}
