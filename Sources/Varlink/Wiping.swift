import CVarlinkSocket
import FoundationEssentials

/// Overwrites the bytes of messages that contained secrets, as far as the buffers belong to this module. Copies inside
/// JSON coders and strings cannot be reached (docs/threat-model.md).
enum Wiping {
    /// Overwrites an array in place, for every copy that shares its storage. The array must no longer be needed.
    static func wipe(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { cvarlink_wipe($0.baseAddress, $0.count) }
    }

    /// Overwrites data in place, for every copy that shares its storage. The data must no longer be needed.
    static func wipe(_ data: Data) {
        data.withUnsafeBytes { cvarlink_wipe($0.baseAddress, $0.count) }
    }
}
