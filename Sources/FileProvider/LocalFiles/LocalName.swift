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

    /// A name from ``displayed`` text: `\xHH` of a byte above 0x7E, a control character or the backslash is taken back to that
    /// byte: the first are not UTF-8, the second is how a terminal is shown them. Nothing else
    /// is, so that no text can smuggle a slash; nil if no file can have the name.
    public init?(displayed text: String) { self.init(bytes: EscapedText.bytes(of: text)) }

    /// The name as text: each byte that is not UTF-8 is written `\xHH`, and so is a backslash that would be taken for the start of
    /// such an escape. Reversible for every name.
    public var displayed: String { EscapedText.text(of: bytes) }

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
