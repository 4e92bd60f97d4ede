/// A file name as the file system stores it: bytes, UTF-8 or not.
public struct LocalName: Hashable, Sendable, Comparable {
    /// The longest name, in bytes.
    public static let maximumLength = 255

    /// The bytes, without the terminating zero.
    public let bytes: [UInt8]

    /// Creates a name from its bytes; nil if no file can have it.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")),
            bytes != [UInt8(ascii: ".")], bytes != [UInt8(ascii: "."), UInt8(ascii: ".")]
        else { return nil }
        self.bytes = bytes
    }

    /// Creates a name that came from the kernel.
    init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a name from text as it is; nil if no file can have it.
    public init?(_ text: String) { self.init(bytes: text.utf8) }

    /// Creates a name from ``displayed`` text. `\xHH` is decoded if it stands for a byte above 0x7E, a control
    /// character or the backslash: the first are not UTF-8, and control characters are shown this way in a terminal.
    /// Nothing else is decoded, so that no text can smuggle in a slash; nil if no file can have the name.
    public init?(displayed text: String) { self.init(bytes: EscapedText.bytes(of: text)) }

    /// The name as text. Each byte that is not UTF-8 is written `\xHH`, and so is a backslash that would be read as the
    /// start of such an escape. Reversible for every name.
    public var displayed: String { EscapedText.text(of: bytes) }

    /// Calls `body` with the name as a C string.
    func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A larger one is allocated.
        let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { terminated in
            for (index, byte) in bytes.enumerated() {
                terminated.initializeElement(at: index, to: CChar(bitPattern: byte))
            }
            terminated.initializeElement(at: bytes.count, to: 0)
            guard let start = terminated.baseAddress else { preconditionFailure("an allocation has an address") }
            do throws(Failure) {
                return Swift.Result<Result, Failure>.success(try body(start))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Compares by bytes.
    public static func < (left: LocalName, right: LocalName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
