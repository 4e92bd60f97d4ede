/// A page token of the wire: the author's token, and how much of the author's page has been sent when the page is too
/// large for one message.
struct PageToken: Equatable, Sendable {
    var page: String?
    var skipped: Int

    init(page: String? = nil, skipped: Int = 0) {
        self.page = page
        self.skipped = skipped
    }

    /// Reads a token that ``text`` produced.
    init(_ text: String?) throws {
        guard let text else {
            self.init()
            return
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let skipped = Int(parts[0]), skipped >= 0, ["p", "f"].contains(parts[1]) else {
            throw FileProviderError(.invalidArgument, "This is not a page token.")
        }
        self.init(page: parts[1] == "p" ? String(parts[2]) : nil, skipped: skipped)
    }

    var text: String { "\(skipped):\(page == nil ? "f" : "p"):\(page ?? "")" }
}
