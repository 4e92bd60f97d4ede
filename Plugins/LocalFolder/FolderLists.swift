import FileProvider
import Synchronization

/// Splits folders into pages. The listing of the current folder is kept, so that a folder of a hundred thousand names
/// is read once. Safe to use from any thread.
final class FolderLists: Sendable {
    /// Some names of a folder, and the token of the next page.
    struct Slice: Sendable {
        var names: [LocalName]
        var nextPage: String?
    }

    private struct Kept {
        var folder: LocalFileIdentity
        var changed: Int64
        var list: LocalListing
    }

    private static let pageSize = 1_500

    private let kept = Mutex<Kept?>(nil)

    /// The names after a page token, which stands for the last name of the previous page.
    func page(of directory: LocalDirectory, _ folder: LocalFileIdentity, after token: String?) throws -> Slice {
        let changed = try directory.facts().changed
        let known = kept.withLock { kept in
            token != nil && kept?.folder == folder && kept?.changed == changed ? kept?.list : nil
        }
        let list = try known ?? LocalListing(directory)
        var position = 0
        if let token {
            guard let last = Self.name(token) else {
                throw FileProviderError(.invalidArgument, "This is not a page of the folder.")
            }
            position = list.position(after: last)
        }
        var names: [LocalName] = []
        while position < list.count, names.count < Self.pageSize {
            if list.kind(position) != .other || list.isSymbolicLink(position) { names.append(list[position].name) }
            position += 1
        }
        guard position < list.count else {
            kept.withLock { if $0?.folder == folder { $0 = nil } }
            return Slice(names: names)
        }
        kept.withLock { $0 = Kept(folder: folder, changed: changed, list: list) }
        return Slice(names: names, nextPage: Self.token(list[position - 1].name))
    }

    /// A name in Base64, at most 340 bytes.
    static func token(_ name: LocalName) -> String {
        var text = ""
        var rest = name.bytes[...]
        while !rest.isEmpty {
            let three = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < three.count ? Int(three[$1]) : 0) }
            for digit in 0...three.count {
                text.unicodeScalars.append(Unicode.Scalar(alphabet[bits >> (18 - 6 * digit) & 63]))
            }
        }
        return text
    }

    static func name(_ token: String) -> LocalName? {
        var bytes: [UInt8] = []
        var rest = Array(token.utf8)[...]
        while !rest.isEmpty {
            let four = rest.prefix(4).compactMap { alphabet.firstIndex(of: $0) }
            guard four.count == rest.prefix(4).count, four.count > 1 else { return nil }
            rest = rest.dropFirst(4)
            let bits = (0..<4).reduce(0) { $0 << 6 | ($1 < four.count ? four[$1] : 0) }
            for byte in 0..<(four.count - 1) { bytes.append(UInt8(bits >> (16 - 8 * byte) & 255)) }
        }
        return LocalName(bytes: bytes)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
