import DocentInterfaces
import HostCore
import Rights

/// The page token for a folder whose provider lists it in place: the provider's own token, with the numbers of items
/// and empty pages before it. The numbers make every listing finite without the daemon keeping state. Pure.
///
/// A client that changes them only delays itself.
struct CountedPage: Sendable, Hashable {
    /// The items on the pages before this one.
    private(set) var items = 0
    /// The number of consecutive empty pages before this one.
    private(set) var emptyPages = 0
    /// The provider's token; nil for the first page.
    private(set) var token: String?

    /// Reads a page token issued by this type; nil is the first page.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for any other text.
    init(_ text: String?) throws(Failure) {
        guard let text else { return }
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let items = Int(parts[0]), let empty = Int(parts[1]), (0...Int.max / 2).contains(items),
            (0...Int.max / 2).contains(empty)
        else {
            throw Failure(.invalidArgument, "This is not a page of a folder.", suggestion: "List it from the start.")
        }
        self.items = items
        emptyPages = empty
        token = String(parts[2])
    }

    /// The token of the page that follows this one.
    ///
    /// - Parameters:
    ///   - next: the provider's token for the next page; nil after the last page.
    ///   - count: how many items this page has.
    ///   - folder: the listed folder, named in the error message.
    /// - Throws: ``Failure`` `ProviderFailed` when the listing would never end, or has more items than a folder may
    ///   have.
    func following(
        _ next: String?, items count: Int, provider: String, folder: String, limits: PageSequence.Limits
    ) throws(Failure) -> String? {
        guard items + count <= limits.items else {
            throw Self.failure(provider, "returned more than \(limits.items) items for", folder)
        }
        guard let next else { return nil }
        guard !Optional(next).isSame(as: token), next.utf8.count <= PageSequence.mostTokenBytes else {
            throw Self.failure(
                provider, "returned a page that leads nowhere, so it would never end the listing of", folder)
        }
        let empty = count > 0 ? 0 : emptyPages + 1
        guard empty < limits.emptyPages else {
            throw Self.failure(provider, "returns one empty page after another for", folder)
        }
        return "\(items + count).\(empty).\(next)"
    }

    private static func failure(_ provider: String, _ what: String, _ folder: String) -> Failure {
        let shown = folder.utf8.count > 200 ? String(folder.prefix(50)) + "…" : folder
        return Failure(
            .providerFailed, "\(provider) \(what) the folder \"\(shown)\".",
            suggestion: "Report this to the authors of \(provider).", provider: provider)
    }
}
