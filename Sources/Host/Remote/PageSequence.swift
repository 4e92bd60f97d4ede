package import DocentInterfaces
import Isolation

/// What the pages of one folder have brought so far, so that a provider whose pages never end does not keep anybody waiting for ever
/// (law 5, HAZARDS 6). Pure; the time is handed in.
///
/// A page without items is no fault: a service may leave out what it does not show. So it takes many of them, or a long time, until
/// a listing counts as one without an end.
package struct PageSequence: Sendable {
    /// The most pages of a folder.
    package static let mostPages = 100_000
    /// The most pages in a row that may bring nothing.
    package static let mostEmptyPages = 1_000
    /// The most items of a folder.
    package static let mostItems = 1_000_000
    /// The longest time in which pages may come that bring nothing.
    package static let longestSilence = Duration.seconds(600)
    /// The most bytes of a token.
    package static let mostTokenBytes = 500

    private let provider: String
    private var tokens: Set<ExactText> = []
    private var pages = 0
    private var emptyPages = 0
    private var items = 0
    private var lastItem: ContinuousClock.Instant

    /// A listing that begins.
    ///
    /// - Parameter provider: whose pages these are, for what is said about them.
    package init(provider: String, at now: ContinuousClock.Instant = .now) {
        self.provider = provider
        lastItem = now
    }

    /// Takes note of a page that came.
    ///
    /// - Parameters:
    ///   - token: of the page that follows, as the provider gave it.
    ///   - count: how many items the page has.
    /// - Returns: the token; nil when the listing is complete.
    /// - Throws: ``Failure`` `ProviderFailed` when the listing would never end, or has more items than a folder may have.
    package mutating func next(
        _ token: String?, items count: Int, at now: ContinuousClock.Instant = .now
    ) throws(Failure) -> String? {
        items += count
        guard items <= Self.mostItems else {
            throw failure("gave more than \(Self.mostItems) items of one folder")
        }
        guard let token else { return nil }
        pages += 1
        emptyPages = count > 0 ? 0 : emptyPages + 1
        if count > 0 { lastItem = now }
        guard token.utf8.count <= Self.mostTokenBytes, tokens.insert(ExactText(token)).inserted else {
            throw failure("gave a page of a folder that leads nowhere: a listing would never end")
        }
        guard pages < Self.mostPages, emptyPages < Self.mostEmptyPages, now - lastItem < Self.longestSilence else {
            throw failure("gives one page of a folder after the other without coming to an end")
        }
        return token
    }

    private func failure(_ what: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) \(what).", suggestion: "Tell the authors of \(provider).", provider: provider)
    }
}
