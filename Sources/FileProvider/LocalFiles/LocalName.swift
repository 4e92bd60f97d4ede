/// The name of a file as the file system has it: bytes, UTF-8 or not.
public struct LocalName: Hashable, Sendable, Comparable {
    /// The longest name, in bytes.
    public static let maximumLength = 255

    /// The bytes, without a closing zero.
    public let bytes: [UInt8]

    /// A name from its bytes; nil if no file can have it.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")),
            bytes != [UInt8(ascii: ".")], bytes != [UInt8(ascii: "."), UInt8(ascii: ".")]
        else { return nil }
        self.bytes = bytes
    }

    /// A name that the kernel gave.
    init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// A name from text as it stands; nil if no file can have it.
    public init?(_ text: String) { self.init(bytes: text.utf8) }

    /// A name from text in which `\xHH` stands for a byte that is not UTF-8; nil if no file can have it.
    public init?(displayed text: String) {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.first {
            let escape = rest.prefix(4)
            if escape.count == 4, escape.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]),
                let digits = String(escape.dropFirst(2)), digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        self.init(bytes: bytes)
    }

    /// The name as text; each byte that is not UTF-8 is written `\xHH`.
    public var displayed: String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if rest.count >= length, let scalar = String(validating: rest.prefix(length), as: UTF8.self) {
                text += scalar
                rest = rest.dropFirst(length)
            } else {
                let digits = String(first, radix: 16, uppercase: true)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Calls `body` with the name as the C library wants it.
    func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var terminated = [CChar]()
        terminated.reserveCapacity(bytes.count + 1)
        for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
        terminated.append(0)
        return try body(terminated)
    }

    /// By bytes.
    public static func < (left: LocalName, right: LocalName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
