package import DocentInterfaces
import Rights

/// The progress of listing one folder by pages. A provider with endless pages must not keep callers waiting for ever,
/// nor take more than a bounded part of the daemon's memory (law 5, HAZARDS 6 and 11). Pure; the time is passed in.
///
/// A page without items is not a fault: a service may leave out items that it does not show. Nor is a repeated item:
/// one that moves during the listing may appear on two pages. So a listing counts as endless only after many of them,
/// or a long time.
package struct PageSequence: Sendable {
    /// The limits of a listing.
    package struct Limits: Sendable, Hashable {
        /// The most items in a folder.
        package var items = 200_000
        /// The most bytes of identifiers, names and other texts of a folder's items.
        package var bytes = 64 << 20
        /// The most pages in a folder.
        package var pages = 100_000
        /// The most pages in a row without anything new.
        package var emptyPages = 1_000
        /// The longest time in which no page returns anything new.
        package var silence = Duration.seconds(600)

        /// The limits for what the daemon keeps.
        package init() {}

        /// The limits for what only passes through the daemon.
        package static var inPlace: Limits {
            var limits = Limits()
            limits.items = 1_000_000
            return limits
        }
    }

    /// The most items in a folder.
    package static let mostItems = Limits().items
    /// The most bytes in a token.
    package static let mostTokenBytes = 500
    /// Repeated items that are always allowed; beyond this number, at most half of all items may be repeated.
    package static let mostRepeated = 1_000

    private let provider: String
    private let folder: String
    private let limits: Limits
    // Hashes only: a hundred thousand tokens of 500 bytes would take 50 MB.
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
    ///   - provider: the provider, for error messages.
    ///   - folder: the listed folder, for error messages.
    package init(
        provider: String, folder: String, limits: Limits = Limits(), at now: ContinuousClock.Instant = .now
    ) {
        self.provider = provider
        // A folder's identifier may have four thousand bytes.
        self.folder = folder.utf8.count > 200 ? String(folder.prefix(50)) + "…" : folder
        self.limits = limits
        lastItem = now
    }

    /// How many items were returned.
    package var count: Int { items }

    /// Records a page.
    ///
    /// - Parameters:
    ///   - token: the next page's token, as the provider gave it.
    ///   - count: how many items the page has.
    ///   - bytes: the size of their texts.
    ///   - repeated: how many of them were returned before.
    /// - Returns: the token; nil when the listing is complete.
    /// - Throws: ``Failure`` `ProviderFailed` when the listing would never end, or has more than a folder may have.
    package mutating func next(
        _ token: String?, items count: Int, bytes: Int = 0, repeated: Int = 0, at now: ContinuousClock.Instant = .now
    ) throws(Failure) -> String? {
        items += count
        self.bytes += bytes
        self.repeated += repeated
        guard items <= limits.items else { throw failure("returned more than \(limits.items) items for \(shown)") }
        guard self.bytes <= limits.bytes else {
            throw failure("returned more than \(limits.bytes >> 20) MiB of names and identifiers for \(shown)")
        }
        guard self.repeated <= max(Self.mostRepeated, items / 2) else {
            throw failure("keeps returning the same items of \(shown)")
        }
        guard let token else { return nil }
        pages += 1
        let isNew = count > repeated
        emptyPages = isNew ? 0 : emptyPages + 1
        if isNew { lastItem = now }
        guard token.utf8.count <= Self.mostTokenBytes, tokens.insert(BytewiseText(token).hashValue).inserted else {
            throw failure("returned a page of \(shown) that leads nowhere: the listing would never end")
        }
        guard pages < limits.pages, emptyPages < limits.emptyPages, now - lastItem < limits.silence else {
            throw failure("returns page after page of \(shown) without ever finishing")
        }
        return token
    }

    private var shown: String { folder == ItemKey.rootIdentifier ? "its top folder" : "the folder \"\(folder)\"" }

    private func failure(_ what: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) \(what).", suggestion: "Report this to the authors of \(provider).",
            provider: provider)
    }
}
