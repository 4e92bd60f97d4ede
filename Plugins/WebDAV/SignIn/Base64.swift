import FoundationEssentials

/// Base64 as used in header fields.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
