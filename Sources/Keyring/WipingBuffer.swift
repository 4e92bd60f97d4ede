import Glibc

/// A growing buffer that is wiped whenever it moves, and at the end. For one thread.
final class WipingBuffer {
    private(set) var count = 0
    private var storage: UnsafeMutableRawBufferPointer

    init(capacity: Int = 4096) { storage = .allocate(byteCount: max(capacity, 64), alignment: 16) }

    deinit { wipeAndRelease() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count]) }

    /// Provides room for more bytes. The closure returns how many it has written.
    func append(atMost room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        reserve(count + room)
        count += min(max(write(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + room)])), 0), room)
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        append(atMost: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    private func reserve(_ needed: Int) {
        guard needed > storage.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, storage.count * 2), alignment: 16)
        larger.copyMemory(from: bytes)
        wipeAndRelease()
        storage = larger
    }

    private func wipeAndRelease() {
        if let start = storage.baseAddress { explicit_bzero(start, storage.count) }
        storage.deallocate()
    }
}

extension WipingBuffer {
    /// Adds a field: its length in four bytes, little-endian, and its bytes.
    func appendField(_ bytes: UnsafeRawBufferPointer) {
        withUnsafeBytes(of: UInt32(clamping: bytes.count).littleEndian) { append($0) }
        append(bytes)
    }

    func appendField(_ text: String) {
        var text = text
        text.withUTF8 { appendField(UnsafeRawBufferPointer($0)) }
    }

    func appendField(_ secret: Secret) { secret.withBytes { appendField($0) } }

    func appendFields(_ key: CredentialKey) {
        for part in [key.accessGroup, key.provider, key.domain, key.account] { appendField(part) }
    }
}
