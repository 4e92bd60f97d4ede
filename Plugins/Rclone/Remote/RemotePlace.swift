import FileProvider
import FoundationEssentials

/// Where something lies below the root of the domain. Compared by bytes: a back end may have two names that differ in their
/// normalisation alone.
struct RemotePlace: Hashable, Sendable {
    private let segments: [LocalName]

    static let root = RemotePlace([])

    private init(_ segments: [LocalName]) { self.segments = segments }

    /// The place that ``identifier`` made; nil if it made none.
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

    /// A name in this folder; nil where no document can have it: those of unfinished uploads are none.
    func child(_ name: String) -> RemotePlace? {
        guard let segment = LocalName(displayed: name), !HiddenName.isOne(segment),
            String(validating: segment.bytes, as: UTF8.self) != nil
        else { return nil }
        return RemotePlace(segments + [segment])
    }

    /// A name in this folder for something new. Where a name has rclone's own quotation mark, back ends tell of another one afterwards.
    ///
    /// - Throws: `FileProviderError` for what cannot be the name of a document here.
    func newChild(_ name: String) throws -> RemotePlace {
        guard !RemotePlace.hasQuotation(name) else {
            throw FileProviderError(
                .invalidArgument,
                "“\(name)” has a control character, a code point that is none, or a mark that rclone uses in place of one (‛, ␀ to ␡, ／). Leave it out."
            )
        }
        guard let place = child(name) else {
            throw FileProviderError(.invalidArgument, "“\(name)” cannot be the name of a document.")
        }
        return place
    }

    /// Whether a name has something that comes back otherwise than it was given: control characters, what rclone writes in their
    /// place, the mark ‛ by which it quotes that, and the two code points that no list in XML can have.
    static func hasQuotation(_ name: String) -> Bool {
        name.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F, 0x201B, 0x2400...0x2421, 0xFF0F, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
    }

    /// Whether a name may have a second spelling, which some services take for the same: an accent within its letter, or after it.
    static func mayHaveSpellings(_ name: String) -> Bool {
        name.unicodeScalars.contains { scalar in
            switch scalar.value {
            // Ideographs and pictures, which have one each.
            case 0..<0xC0, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x1F000...0x1FAFF, 0x20000...0x2F7FF: false
            default: true
            }
        }
    }

    /// A name that rclone told.
    func listed(_ name: String) -> RemotePlace? {
        guard let segment = LocalName(name), !HiddenName.isOne(segment) else { return nil }
        return RemotePlace(segments + [segment])
    }

    /// Where an operation's content lies until it is whole.
    func upload(_ operation: ChangeOperation) throws -> RemotePlace {
        guard let name = HiddenName.upload(operation) else {
            throw FileProviderError(.invalidArgument, "The operation has no name.")
        }
        return RemotePlace(segments + [name])
    }

    /// What keeps this folder where the back end keeps no empty one.
    var folderMark: RemotePlace { RemotePlace(segments + [HiddenName.folder].compactMap { $0 }) }

    var isRoot: Bool { segments.isEmpty }
    var folder: RemotePlace { RemotePlace(segments.dropLast()) }
    func isBelow(_ other: RemotePlace) -> Bool {
        segments.count > other.segments.count && segments.starts(with: other.segments)
    }

    /// The whole path is the identifier, a slash before each name.
    var identifier: ItemIdentifier {
        isRoot ? .rootContainer : ItemIdentifier(segments.map { "/" + $0.displayed }.joined())
    }

    /// The name as the SDK wants it.
    var filename: String { segments.last?.displayed ?? "/" }

    /// As rclone wants it, below the root of the domain.
    var remote: String {
        String(decoding: Array(segments.map(\.bytes).joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
    }

    /// As the path of an address.
    var encoded: String {
        segments.map { RemotePlace.encoded($0.bytes) }.joined(separator: "/")
    }

    /// Percent-encodes all but letters, digits and what never has a meaning.
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
