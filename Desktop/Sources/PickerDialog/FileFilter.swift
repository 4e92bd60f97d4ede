package import TerminalPicker
import UniformTypes

/// Which documents a file dialog lets a person choose: those that match one of its patterns.
package struct FileFilter: Codable, Equatable, Sendable {
    package var name: String
    /// Patterns of names, such as `*.png`.
    package var globs: [String]
    /// MIME types, such as `image/png` and `image/*`.
    package var types: [String]

    package init(name: String, globs: [String] = [], types: [String] = []) {
        self.name = name
        self.globs = globs
        self.types = types
    }

    package func matches(_ entry: PickerEntry) -> Bool {
        globs.contains { Glob.matches(entry.name, $0) } || types.contains { Self.matches(entry.contentType, $0) }
    }

    /// The content of these families has a type of its own that everything in the family conforms to.
    private static let families: [String: UniformType] = [
        "text/*": .text, "image/*": .image, "audio/*": .audio, "video/*": .video,
    ]
    private static let everything: Set = ["*/*", "*", "application/octet-stream", "all/all", "all/allfiles"]

    private static func matches(_ contentType: String, _ mimeType: String) -> Bool {
        let mimeType = mimeType.lowercased()
        guard !everything.contains(mimeType) else { return true }
        let registry = UniformTypeRegistry.system()
        guard let type = UniformType(contentType) else { return false }
        if let family = families[mimeType], registry.conforms(type, to: family) { return true }
        if mimeType.hasSuffix("/*") {
            return registry.preferredMIMEType(of: type)?.hasPrefix(mimeType.dropLast()) ?? false
        }
        return registry.conforms(type, to: registry.type(mimeType: mimeType))
    }
}

/// Patterns of names: `*`, `?` and `[abc]`, in any case of letters.
enum Glob {
    /// The time is at most proportional to the product of both lengths, whatever the pattern is.
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let name = Array(name.lowercased().unicodeScalars)
        let pattern = Array(pattern.lowercased().unicodeScalars)
        var (position, next) = (0, 0)
        // Where to go on if what follows the last star does not match.
        var star: (position: Int, next: Int)?
        while position < name.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (position, next + 1)
                next += 1
            } else if let after = step(pattern, next, name[position]) {
                position += 1
                next = after
            } else if let last = star {
                star = (last.position + 1, last.next)
                (position, next) = (last.position + 1, last.next)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }

    /// The position after what matches the letter; nil if it does not match.
    private static func step(_ pattern: [Unicode.Scalar], _ next: Int, _ letter: Unicode.Scalar) -> Int? {
        guard next < pattern.count else { return nil }
        if pattern[next] == "?" { return next + 1 }
        // Without an end, the bracket is an ordinary letter.
        guard pattern[next] == "[", let end = pattern[next...].dropFirst(2).firstIndex(of: "]") else {
            return pattern[next] == letter ? next + 1 : nil
        }
        var set = pattern[(next + 1)..<end]
        let isNegated = set.first == "!" || set.first == "^"
        if isNegated { set = set.dropFirst() }
        var isMember = false
        while let first = set.popFirst() {
            if set.first == "-", set.count > 1 {
                set = set.dropFirst()
                if let last = set.popFirst(), first.value <= letter.value, letter.value <= last.value {
                    isMember = true
                }
            } else if first == letter {
                isMember = true
            }
        }
        return isMember != isNegated ? end + 1 : nil
    }
}
