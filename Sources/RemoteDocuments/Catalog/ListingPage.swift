package import DocentInterfaces
package import Records
import Rights

/// Pages of a folder as the index has it: by name, so that a folder that changes in between is still listed whole. Pure.
package enum ListingPage {
    private static let prefix = "after:"
    /// Rows asked of the index for a page, of which the last tells only whether there are more.
    package static let rowLimit = 501
    // Of the megabyte that a message may have (T4); names grow when JSON escapes them.
    private static let byteBudget = 200_000

    /// The name after which a page begins; nil for the first page.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for what is no page token of ours.
    package static func start(_ page: String?) throws(Failure) -> String? {
        guard let page else { return nil }
        guard page.hasPrefix(prefix) else {
            throw Failure(.invalidArgument, "This is no page of a folder.", suggestion: "List it from the start.")
        }
        return String(page.dropFirst(prefix.count))
    }

    /// The rows that fit one page, and the token of the next.
    ///
    /// - Parameter rows: up to ``rowLimit`` rows by name, from the page's start.
    package static func cut(_ rows: [RemoteItem]) -> (items: [RemoteItem], nextPage: String?) {
        var bytes = 0
        var count = 0
        while count < min(rows.count, rowLimit - 1) {
            bytes += size(rows[count].description)
            if bytes > byteBudget, count > 0 { break }
            count += 1
        }
        guard count < rows.count else { return (rows, nil) }
        // Where a service has several items of one name, none of them may fall between two pages.
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
