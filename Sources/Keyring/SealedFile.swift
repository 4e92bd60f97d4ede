import Cryptography
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
    private static let keyLength = AuthenticatedCipher.keyLength
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
        let key = Secret(AuthenticatedCipher.randomBytes(Self.keyLength))
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
        let nonce = AuthenticatedCipher.randomBytes(AuthenticatedCipher.nonceLength)
        var sealed = magic + [UInt8](repeating: 0, count: plain.count + AuthenticatedCipher.overhead)
        let done = sealed.withUnsafeMutableBytes { file in
            key.withBytes { key in
                AuthenticatedCipher.seal(
                    UnsafeRawBufferPointer(plain.bytes), key: key, nonce: nonce,
                    associated: UnsafeRawBufferPointer(rebasing: file[..<magic.count]),
                    into: UnsafeMutableRawBufferPointer(rebasing: file[magic.count...]))
            }
        }
        guard done else { throw .damaged("The key of the sealed file is invalid.") }
        return sealed
    }

    /// Decrypts the content; nil when the key or any byte is wrong.
    private static func open(_ file: UnsafeRawBufferPointer, key: Secret) -> SealedContent? {
        guard file.count > magic.count + AuthenticatedCipher.overhead,
            file.prefix(magic.count).elementsEqual(magic)
        else { return nil }
        let count = file.count - magic.count - AuthenticatedCipher.overhead
        let plain = WipingBuffer(capacity: count)
        let isDone = key.withBytes { key in
            var opened = false
            plain.append(atMost: count) { room in
                opened = AuthenticatedCipher.open(
                    UnsafeRawBufferPointer(rebasing: file[magic.count...]), key: key,
                    associated: UnsafeRawBufferPointer(rebasing: file[..<magic.count]),
                    into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
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
