/// The tag that a dynamic type identifier stands for.
///
/// The identifier is `dyn.a` and the text `?0=P:C=tag` in base 32 with a special alphabet, where P is the code of a
/// parent and C that of the tag's class. A tag has the same identifier on every machine, and the identifier can be
/// decoded.
struct DynamicTag: Hashable, Sendable {
    static let prefix = "dyn."

    let tagClass: UniformTypeTagClass
    let tag: String
    let parent: UniformType

    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    private static let tagClasses: [Unicode.Scalar: UniformTypeTagClass] = [
        "1": .filenameExtension, "2": .osType, "3": .mimeType, "4": .pasteboardType, "5": .urlScheme,
    ]
    private static let separators: Set<Unicode.Scalar> = [",", ":", "=", "\\"]
    private static let parents: [Unicode.Scalar: UniformType] = [
        "6": .data, "7": .text, "8": .plainText, "B": .image, "C": .video, "D": .audio, "E": .directory, "F": .folder,
    ]

    init(tagClass: UniformTypeTagClass, tag: String, parent: UniformType) {
        self.tagClass = tagClass
        self.tag = tag
        self.parent = parent
    }

    /// Decodes an identifier; nil when it is not dynamic or is invalid.
    init?(_ type: UniformType) {
        guard type.isDynamic, let text = Self.decode(type.key.utf8.dropFirst(Self.prefix.utf8.count)),
            text.unicodeScalars.first == "?"
        else { return nil }
        var parent = UniformType.data
        var found: (UniformTypeTagClass, String)?
        for field in Self.fields(text.unicodeScalars.dropFirst()) {
            let scalars = field.unicodeScalars
            guard let name = scalars.first, scalars.dropFirst().first == "=" else { return nil }
            let value = scalars.dropFirst(2)
            if name == "0" {
                guard let code = value.first, let known = Self.parents[code] else { continue }
                parent = known
            } else if let tagClass = Self.tagClasses[name], found == nil {
                found = (tagClass, String(value))
            }
        }
        guard let (tagClass, tag) = found else { return nil }
        self.init(tagClass: tagClass, tag: tag, parent: parent)
    }

    /// The dynamic type for the tag.
    var type: UniformType {
        let parentCode = Self.parents.first { $0.value == parent }?.key ?? "6"
        let classCode = Self.tagClasses.first { $0.value == tagClass }?.key ?? "1"
        var text = "?0=\(parentCode):\(classCode)=".unicodeScalars
        for scalar in tag.unicodeScalars {
            if Self.separators.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return UniformType(checked: Self.prefix + Self.encode(String(text)))
    }

    private static func fields(_ text: Substring.UnicodeScalarView) -> [String] {
        var fields = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text {
            if !isEscaped && scalar == "\\" {
                isEscaped = true
            } else if !isEscaped && scalar == ":" {
                fields.append(String.UnicodeScalarView())
            } else {
                fields[fields.count - 1].append(scalar)
                isEscaped = false
            }
        }
        return fields.map { String($0) }
    }

    private static func encode(_ text: String) -> String {
        var result: [UInt8] = [alphabet[0]]
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in text.utf8 {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[Int(buffer >> bits & 31)])
            }
            buffer &= 1 << bits - 1
        }
        if bits > 0 { result.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decode(_ code: Substring.UTF8View) -> String? {
        guard code.first == alphabet[0] else { return nil }
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for letter in code.dropFirst() {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                buffer &= 1 << bits - 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
