import FoundationEssentials

/// How faults change names.
struct NameRules: Sendable {
    let script: FaultScript

    /// The name under which an item is stored. The SDK has refused invalid names.
    func stored(_ name: String) -> String {
        var name = name
        if script.strikes("names.composed") { name = Self.composed(name) }
        if script.strikes("names.trimmed") { while name.last == " " { name.removeLast() } }
        if script.strikes("names.lowercased") { name = name.lowercased() }
        if script.strikes("names.shortened") {
            while name.utf8.count > 64 { name.removeLast() }
        }
        return name
    }

    // As much of Unicode's composition as the tests need: two common accents on two vowels.
    private static func composed(_ name: String) -> String {
        let pairs: [[UInt8]: [UInt8]] = [
            [0x65, 0xCC, 0x81]: [0xC3, 0xA9], [0x75, 0xCC, 0x88]: [0xC3, 0xBC], [0x6F, 0xCC, 0x88]: [0xC3, 0xB6],
            [0x61, 0xCC, 0x88]: [0xC3, 0xA4], [0x61, 0xCC, 0x8A]: [0xC3, 0xA5], [0x41, 0xCC, 0x8A]: [0xC3, 0x85],
            [0x61, 0xCC, 0x81]: [0xC3, 0xA1], [0x6F, 0xCC, 0x81]: [0xC3, 0xB3], [0x45, 0xCC, 0x81]: [0xC3, 0x89],
        ]
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            bytes.append(byte)
            if let short = pairs[Array(bytes.suffix(3))] {
                bytes.replaceSubrange(bytes.count - 3..<bytes.count, with: short)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
