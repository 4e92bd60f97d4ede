import FileProvider
import FoundationEssentials

/// The place of an item below the root of the domain. Compared by bytes: a back end may have two names that differ only
/// in their normalisation.
struct RemotePlace: Hashable, Sendable {
    private let segments: [LocalName]

    static let root = RemotePlace([])

    private init(_ segments: [LocalName]) { self.segments = segments }

    /// The place from which ``identifier`` was made; nil for any other identifier.
    init?(_ identifier: ItemIdentifier) {
        if identifier == .rootContainer {
            self = .root
            return
        }
        let text = identifier.rawValue.utf8
        guard text.first == UInt8(ascii: "/") else { return nil }
        let segments = text.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .compactMap { LocalName(displayed: String(Substring($0))) }
        guard segments.count < 200, RemotePlace(segments).identifier.rawValue.utf8.elementsEqual(text) else {
            return nil
        }
        self.segments = segments
    }

    /// An item of this folder; nil for a name that no document can have, such as that of an unfinished upload.
    func child(_ name: String) -> RemotePlace? {
        guard let segment = LocalName(displayed: name), !HiddenName.isOne(segment),
            String(validating: segment.bytes, as: UTF8.self) != nil
        else { return nil }
        return RemotePlace(segments + [segment])
    }

    /// The place of a new item in this folder. A name for which ``hasQuotation(_:)`` is true is refused, because back
    /// ends report it differently afterwards.
    ///
    /// - Throws: `FileProviderError` for a name that no document can have here.
    func newChild(_ name: String) throws -> RemotePlace {
        guard !RemotePlace.hasQuotation(name) else {
            throw FileProviderError(
                .invalidArgument,
                "\"\(name)\" contains a control character, an invalid code point, or a character that rclone uses in "
                    + "place of one (‛, ␀ to ␡, ／). Leave it out.")
        }
        guard let place = child(name) else {
            throw FileProviderError(.invalidArgument, "\"\(name)\" cannot be the name of a document.")
        }
        return place
    }

    /// Whether a name contains something that would not come back unchanged: control characters, the symbols that
    /// rclone writes in their place, the mark ‛ with which it quotes those symbols, and the two code points that XML
    /// cannot contain.
    static func hasQuotation(_ name: String) -> Bool {
        name.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F, 0x201B, 0x2400...0x2421, 0xFF0F, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
    }

    /// Whether a name may have a second spelling that some services treat as equal: an accent inside its letter, or
    /// after it.
    static func mayHaveSpellings(_ name: String) -> Bool {
        name.unicodeScalars.contains { scalar in
            switch scalar.value {
            // Ideographs and emoji, which have only one spelling.
            case 0..<0xC0, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x1F000...0x1FAFF, 0x20000...0x2F7FF: false
            default: true
            }
        }
    }

    /// The place of a name that rclone listed.
    func listed(_ name: String) -> RemotePlace? {
        guard let segment = LocalName(name), !HiddenName.isOne(segment) else { return nil }
        return RemotePlace(segments + [segment])
    }

    /// Where an operation's content is stored until it is complete.
    func upload(_ operation: ChangeOperation) throws -> RemotePlace {
        guard let name = HiddenName.upload(operation) else {
            throw FileProviderError(.invalidArgument, "The operation has no name.")
        }
        return RemotePlace(segments + [name])
    }

    /// The file that keeps this folder if the back end keeps no empty folders.
    var folderMark: RemotePlace { RemotePlace(segments + [HiddenName.folder].compactMap { $0 }) }

    /// The bytes of the name.
    var name: ArraySlice<UInt8> { segments.last.map { Array($0.bytes)[...] } ?? [] }

    /// A filter of rclone for the documents in the same folder whose names begin as this one does, up to its first dot.
    var similar: String {
        let special = Set("\\*?[]{}".utf8)
        func quoted(_ bytes: some Sequence<UInt8>) -> [UInt8] {
            bytes.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        }
        let folder = segments.dropLast().flatMap { quoted($0.bytes) + [UInt8(ascii: "/")] }
        let start = quoted(name.prefix { $0 != UInt8(ascii: ".") })
        return String(decoding: [UInt8(ascii: "/")] + folder + start + [UInt8(ascii: "*")], as: UTF8.self)
    }

    var isRoot: Bool { segments.isEmpty }
    var folder: RemotePlace { RemotePlace(segments.dropLast()) }
    func isBelow(_ other: RemotePlace) -> Bool {
        segments.count > other.segments.count && segments.starts(with: other.segments)
    }

    /// The whole path as an identifier, with a slash before each name.
    var identifier: ItemIdentifier {
        isRoot ? .rootContainer : ItemIdentifier(segments.map { "/" + $0.displayed }.joined())
    }

    /// The name in the form that the SDK expects.
    var filename: String { segments.last?.displayed ?? "/" }

    /// The path below the root of the domain, in the form that rclone expects.
    var remote: String {
        String(decoding: Array(segments.map(\.bytes).joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
    }

    /// The path in the form that a URL needs.
    var encoded: String {
        segments.map { RemotePlace.encoded($0.bytes) }.joined(separator: "/")
    }

    /// Percent-encodes everything except unreserved characters.
    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        var text = ""
        for byte in bytes {
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return text
    }
}
