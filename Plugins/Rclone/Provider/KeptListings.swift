import FileProvider
import FoundationEssentials
import Synchronization

/// Listings that are being paged through. A few are kept, for some minutes; after that the folder is listed again.
final class KeptListings: Sendable {
    /// The entries of a folder, sorted by the bytes of their names.
    struct Listing: Sendable {
        typealias Element = (place: RemotePlace, entry: RcloneEntry)

        private static let pageSize = 1_000
        let number: Int
        let folder: RemotePlace
        let elements: [Element]
        let expires: ContinuousClock.Instant

        var hasPages: Bool { elements.count > Self.pageSize }

        /// The entries after a page token, which contains the last name of the page before.
        func part(after token: String?) throws -> (elements: ArraySlice<Element>, nextPage: String?) {
            var start = 0
            if let token {
                guard let (_, last) = KeptListings.parse(token) else {
                    throw FileProviderError(.invalidArgument, "This is not a page of the folder.")
                }
                start = elements.firstIndex { last.lexicographicallyPrecedes($0.entry.name.utf8) } ?? elements.count
            }
            let part = elements[start...].prefix(Self.pageSize)
            guard part.endIndex < elements.count, let last = part.last else { return (part, nil) }
            return (part, "\(number).\(Data(last.entry.name.utf8).base64EncodedString())")
        }
    }

    private static let most = 4
    private static let lifetime: Duration = .seconds(240)
    private let state = Mutex((number: 0, kept: [Listing]()))

    /// A fresh listing, kept if it has several pages.
    func keep(_ elements: [Listing.Element], of folder: RemotePlace) -> Listing {
        let sorted = elements.sorted { $0.entry.name.utf8.lexicographicallyPrecedes($1.entry.name.utf8) }
        return state.withLock { state in
            state.number += 1
            let listing = Listing(
                number: state.number, folder: folder, elements: sorted, expires: .now + Self.lifetime)
            if listing.hasPages { state.kept = (state.kept.filter { $0.expires > .now } + [listing]).suffix(Self.most) }
            return listing
        }
    }

    /// The listing to which a page token belongs.
    func listing(of folder: RemotePlace, page: String) -> Listing? {
        guard let (number, _) = Self.parse(page) else { return nil }
        return state.withLock { state in
            state.kept.first { $0.number == number && $0.folder == folder && $0.expires > .now }
        }
    }

    private static func parse(_ token: String) -> (number: Int, last: Data)? {
        guard let dot = token.firstIndex(of: "."), let number = Int(token[..<dot]),
            let last = Data(base64Encoded: String(token[token.index(after: dot)...]))
        else { return nil }
        return (number, last)
    }
}
