import CVarlinkSocket
import FoundationEssentials

/// Overwrites the bytes of messages that had secrets in them: of the buffers that are this module's own. What JSON
/// coders and texts hold of them besides cannot be reached (docs/threat-model.md).
enum Wiping {
    /// Overwrites an array in place, for every copy that shares its storage: only what nobody needs any more.
    static func wipe(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { cvarlink_wipe($0.baseAddress, $0.count) }
    }

    /// The same of data.
    static func wipe(_ data: Data) {
        data.withUnsafeBytes { cvarlink_wipe($0.baseAddress, $0.count) }
    }
}
