package import DocentInterfaces
package import Records
import Rights

/// Pages of an indexed folder, ordered by name, so that a folder that changes between pages is still listed completely.
/// Pure.
package enum ListingPage {
    private static let prefix = "after:"
    /// The rows requested from the index for a page. The last one only shows whether there are more.
    package static let rowLimit = 501
    // A message may have one megabyte (T4); names grow when JSON escapes them.
    private static let byteBudget = 200_000

    /// The name after which a page begins; nil for the first page.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for a token that this type did not issue.
    package static func start(_ page: String?) throws(Failure) -> String? {
        guard let page else { return nil }
        guard page.hasPrefix(prefix) else {
            throw Failure(.invalidArgument, "This is not a page of a folder.", suggestion: "List it from the start.")
        }
        return String(page.dropFirst(prefix.count))
    }

    /// The rows that fit on one page, and the token of the next.
    ///
    /// - Parameter rows: up to ``rowLimit`` rows, ordered by name, from the start of the page.
    package static func cut(_ rows: [RemoteItem]) -> (items: [RemoteItem], nextPage: String?) {
        var bytes = 0
        var count = 0
        while count < min(rows.count, rowLimit - 1) {
            bytes += size(rows[count].description)
            if bytes > byteBudget, count > 0 { break }
            count += 1
        }
        guard count < rows.count else { return (rows, nil) }
        // A service may have several items of the same name. They must stay on one page.
        var end = count
        while end > 1, rows[end - 1].description.name.isSame(as: rows[end].description.name) { end -= 1 }
        if end == 1, rows[0].description.name.isSame(as: rows[1].description.name) {
            end = rows.firstIndex { !$0.description.name.isSame(as: rows[0].description.name) } ?? rows.count
        }
        return (Array(rows[..<end]), prefix + rows[end - 1].description.name)
    }

    private static func size(_ item: ItemDescription) -> Int {
        300 + item.identifier.utf8.count + item.parent.utf8.count + item.name.utf8.count
            + (item.thumbnail?.utf8.count ?? 0) + (item.version?.utf8.count ?? 0)
    }
}
