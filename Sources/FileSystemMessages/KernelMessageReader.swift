/// Takes the parts of a message one after another.
struct KernelMessageReader {
    /// The message ends before its next part does.
    struct TooShort: Error {}

    private let bytes: UnsafeRawBufferPointer
    /// Where the next part starts.
    private(set) var offset = 0
    /// Where the last part ends.
    var end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        end = bytes.count
    }

    /// The number of bytes that were not taken.
    var left: Int { end - offset }

    mutating func take<Part: BitwiseCopyable>(_ type: Part.Type) throws(TooShort) -> Part {
        guard MemoryLayout<Part>.size <= left else { throw TooShort() }
        defer { offset += MemoryLayout<Part>.size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// A name, which ends with a null byte; nil if it is not UTF-8.
    mutating func name() throws(TooShort) -> String? {
        guard let terminator = bytes[offset..<end].firstIndex(of: 0) else { throw TooShort() }
        defer { offset = terminator + 1 }
        return String(validating: bytes[offset..<terminator], as: UTF8.self)
    }

    /// Where the next bytes are in the message.
    mutating func range(_ count: Int) throws(TooShort) -> Range<Int> {
        guard count <= left else { throw TooShort() }
        defer { offset += count }
        return offset..<offset + count
    }
}
