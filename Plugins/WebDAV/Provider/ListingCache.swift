import FileProvider
import FoundationEssentials
import Synchronization

/// The listings that are being paged through. At most four are kept, for five minutes.
final class ListingCache: Sendable {
    /// A folder at the time when it was listed.
    struct Listing: Sendable {
        static let pageSize = 1_000

        let number: Int
        let folder: RemotePath
        let entries: [RemoteEntry]
        let deadline: ContinuousClock.Instant

        /// The entries after a page token, which contains the last name of the page before.
        ///
        /// - Throws: `FileProviderError` for an invalid token.
        func slice(after token: String?) throws -> (entries: ArraySlice<RemoteEntry>, nextPage: String?) {
            var start = 0
            if let token {
                guard let name = Token(token)?.name else {
                    throw FileProviderError(.invalidArgument, "This is not a page of the folder.")
                }
                start = entries.firstIndex { ($0.path.name).map { name < $0 } ?? false } ?? entries.count
            }
            let end = min(entries.count, start + Self.pageSize)
            let last = end < entries.count ? entries[end - 1].path.name : nil
            return (entries[start..<end], last.map { Token(number: number, name: $0).text })
        }
    }

    private struct Token {
        var number: Int
        var name: LocalName

        init(number: Int, name: LocalName) {
            self.number = number
            self.name = name
        }

        init?(_ text: String) {
            let parts = text.split(separator: ":")
            guard parts.count == 2, let number = Int(parts[0]), let bytes = Data(base64Encoded: String(parts[1])),
                let name = LocalName(bytes: bytes)
            else { return nil }
            self.init(number: number, name: name)
        }

        var text: String { "\(number):\(Data(name.bytes).base64EncodedString())" }
    }

    private static let capacity = 4
    private static let lifetime: Duration = .seconds(300)

    private let state = Mutex((kept: [Listing](), number: 0))

    /// Keeps a new listing if it has more than one page.
    func keep(_ entries: [RemoteEntry], of folder: RemotePath) -> Listing {
        state.withLock { state in
            state.number += 1
            let now = ContinuousClock.now
            let listing = Listing(
                number: state.number, folder: folder, entries: entries, deadline: now + Self.lifetime)
            state.kept.removeAll { $0.deadline < now }
            if entries.count > Listing.pageSize { state.kept.append(listing) }
            if state.kept.count > Self.capacity { state.kept.removeFirst() }
            return listing
        }
    }

    /// The listing to which a token belongs; nil if it is no longer kept, so that the folder has to be listed again.
    func listing(of folder: RemotePath, token: String) -> Listing? {
        guard let number = Token(token)?.number else { return nil }
        return state.withLock { state in
            state.kept.first { $0.number == number && $0.folder == folder && $0.deadline > .now }
        }
    }
}
