/// Decodes the fields that ``WipingBuffer`` encoded. Throws for truncated fields and invalid text; never reads beyond
/// the end.
struct FieldReader {
    struct Malformed: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The bytes that have not been read.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    /// The next field, valid as long as the bytes.
    mutating func field() throws(Malformed) -> UnsafeRawBufferPointer {
        guard bytes.count - position >= 4 else { throw Malformed() }
        let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        guard bytes.count - position - 4 >= length else { throw Malformed() }
        position += 4 + length
        return UnsafeRawBufferPointer(rebasing: bytes[(position - length)..<position])
    }

    mutating func text() throws(Malformed) -> String {
        guard let text = String(validating: try field(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    mutating func secret() throws(Malformed) -> Secret { Secret(copying: try field()) }

    mutating func key() throws(Malformed) -> CredentialKey {
        CredentialKey(accessGroup: try text(), provider: try text(), domain: try text(), account: try text())
    }
}
