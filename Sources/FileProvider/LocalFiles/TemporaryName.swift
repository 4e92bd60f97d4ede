import Glibc

/// The names of the temporary files beside a document while it is replaced.
enum TemporaryName {
    private static let stagePrefix = Array(".docent-stage-".utf8)
    private static let savePrefix = Array(".docent-save-".utf8)
    private static let digits = 32

    /// A new name for content that is being written.
    static func stage() -> LocalName {
        LocalName(trusted: stagePrefix + hexadecimal(.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// The name of a tree that an operation stages in several steps, so that a repeated operation finds it.
    static func stage(_ operation: String) -> LocalName {
        LocalName(trusted: stagePrefix + hexadecimal(hash(operation, 0xcbf2_9ce4_8422_2325), hash(operation, 2)))
    }

    /// The name of an operation's file, before and after it changed places with its target.
    static func save(_ operation: String) -> LocalName {
        LocalName(trusted: savePrefix + hexadecimal(hash(operation, 0xcbf2_9ce4_8422_2325), hash(operation, 1)))
    }

    static func isStage(_ name: LocalName) -> Bool { has(stagePrefix, name) }
    static func isOurs(_ name: LocalName) -> Bool { has(stagePrefix, name) || has(savePrefix, name) }

    /// A visible name for a displaced file: the stem, the date and time, and the extension, within 255 bytes.
    static func conflict(of name: LocalName, at seconds: time_t, attempt: Int) -> LocalName {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let clock = "\(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
        let mark = " (conflict \(day) \(clock)\(attempt == 0 ? "" : " \(attempt)"))"
        var stem = name.bytes[...]
        var ending: ArraySlice<UInt8> = []
        if let dot = stem.lastIndex(of: UInt8(ascii: ".")), dot > stem.startIndex, stem.endIndex - dot <= 32 {
            ending = stem[dot...]
            stem = stem[..<dot]
        }
        let room = LocalName.maximumLength - mark.utf8.count - ending.count
        if stem.count > room {
            // Not within a character: the other bytes of a UTF-8 character begin with the bits 10.
            let cut = (max(0, room - 3)...room).last { name.bytes[$0] & 0xC0 != 0x80 } ?? room
            stem = stem.prefix(cut)
        }
        return LocalName(trusted: Array(stem) + Array(mark.utf8) + Array(ending))
    }

    private static func has(_ prefix: [UInt8], _ name: LocalName) -> Bool {
        name.bytes.count == prefix.count + digits && name.bytes.starts(with: prefix)
            && name.bytes.dropFirst(prefix.count).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private static func hexadecimal(_ values: UInt64...) -> [UInt8] {
        values.flatMap { value in
            let text = String(value, radix: 16)
            return Array(repeating: UInt8(ascii: "0"), count: 16 - text.utf8.count) + Array(text.utf8)
        }
    }

    // FNV-1a: gives the same result in every process, unlike Hasher.
    private static func hash(_ text: String, _ start: UInt64) -> UInt64 {
        text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
