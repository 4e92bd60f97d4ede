package import DocentInterfaces
import Rights

/// What the pages of one folder have brought so far, so that a provider whose pages never end keeps nobody waiting for ever and
/// takes no more than a bounded part of the daemon's memory (law 5, HAZARDS 6 and 11). Pure; the time is handed in.
///
/// A page without items is no fault: a service may leave out what it does not show. Nor is an item that comes twice: what moves
/// while the pages are asked for may show on two. So it takes many of them, or a long time, until a listing counts as endless.
package struct PageSequence: Sendable {
    /// What a listing may have.
    package struct Limits: Sendable, Hashable {
        /// The most items of a folder.
        package var items = 200_000
        /// The most bytes of identifiers, names and other texts of a folder's items.
        package var bytes = 64 << 20
        /// The most pages of a folder.
        package var pages = 100_000
        /// The most pages in a row that may bring nothing new.
        package var emptyPages = 1_000
        /// The longest time in which pages may come that bring nothing new.
        package var silence = Duration.seconds(600)

        /// The limits of what the daemon keeps.
        package init() {}

        /// The limits of what only passes through the daemon.
        package static var inPlace: Limits {
            var limits = Limits()
            limits.items = 1_000_000
            return limits
        }
    }

    /// The most items of a folder.
    package static let mostItems = Limits().items
    /// The most pages of a folder.
    package static let mostPages = Limits().pages
    /// The most pages in a row that may bring nothing.
    package static let mostEmptyPages = Limits().emptyPages
    /// The most bytes of a token.
    package static let mostTokenBytes = 500
    /// Items that may come a second time before it is a fault that more than half of them do.
    package static let mostRepeated = 1_000

    private let provider: String
    private let folder: String
    private let limits: Limits
    // Hashes: a hundred thousand tokens of 500 bytes would take 50 MB.
    private var tokens: Set<Int> = []
    private var pages = 0
    private var emptyPages = 0
    private var items = 0
    private var bytes = 0
    private var repeated = 0
    private var lastItem: ContinuousClock.Instant

    /// A listing that begins.
    ///
    /// - Parameters:
    ///   - provider: whose pages these are, for what is said about them.
    ///   - folder: what is listed, for the same.
    package init(
        provider: String, folder: String, limits: Limits = Limits(), at now: ContinuousClock.Instant = .now
    ) {
        self.provider = provider
        // A folder's identifier may have four thousand bytes.
        self.folder = folder.utf8.count > 200 ? String(folder.prefix(50)) + "…" : folder
        self.limits = limits
        lastItem = now
    }

    /// How many items came.
    package var count: Int { items }

    /// Takes note of a page that came.
    ///
    /// - Parameters:
    ///   - token: of the page that follows, as the provider gave it.
    ///   - count: how many items the page has.
    ///   - bytes: of their texts.
    ///   - repeated: how many of them had come before.
    /// - Returns: the token; nil when the listing is complete.
    /// - Throws: ``Failure`` `ProviderFailed` when the listing would never end, or has more than a folder may have.
    package mutating func next(
        _ token: String?, items count: Int, bytes: Int = 0, repeated: Int = 0, at now: ContinuousClock.Instant = .now
    ) throws(Failure) -> String? {
        items += count
        self.bytes += bytes
        self.repeated += repeated
        guard items <= limits.items else { throw failure("gave more than \(limits.items) items of \(shown)") }
        guard self.bytes <= limits.bytes else {
            throw failure("gave more than \(limits.bytes >> 20) MiB of names and identifiers of \(shown)")
        }
        guard self.repeated <= max(Self.mostRepeated, items / 2) else {
            throw failure("gives the same items of \(shown) again and again")
        }
        guard let token else { return nil }
        pages += 1
        let isNew = count > repeated
        emptyPages = isNew ? 0 : emptyPages + 1
        if isNew { lastItem = now }
        guard token.utf8.count <= Self.mostTokenBytes, tokens.insert(ExactText(token).hashValue).inserted else {
            throw failure("gave a page of \(shown) that leads nowhere: a listing would never end")
        }
        guard pages < limits.pages, emptyPages < limits.emptyPages, now - lastItem < limits.silence else {
            throw failure("gives one page of \(shown) after the other without coming to an end")
        }
        return token
    }

    private var shown: String { folder == ItemKey.rootIdentifier ? "its top folder" : "the folder \"\(folder)\"" }

    private func failure(_ what: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) \(what).", suggestion: "Tell the authors of \(provider).", provider: provider)
    }
}
