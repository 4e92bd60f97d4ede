package import Coordination
package import DocentInterfaces
package import ExtensionHosting
import Foundation
package import HostCore
package import Rights
import Synchronization
import UniformTypes

/// The known tree of items: the folders above each, as far as they were asked for, and which of them are packages
/// (SEMANTICS 2.3).
///
/// Thread-safe. ``cached(_:)`` takes only a lock; the other lookups ask providers for what is unknown. News invalidates
/// entries.
package final class ItemHierarchy: Sendable {
    private struct Node {
        var parent: String?
        var name: String
        var isFolder: Bool
        var isPackage: Bool
        var isLink = false
        /// Whether names in it that differ only in case are the same; nil if that is not known yet.
        var ignoresCase: Bool?
        /// Whether there was news of it. Callers that can wait ask for it again.
        var isStale = false
        /// When its provider described it.
        var told = ContinuousClock.now

        /// Its name; nil if none was given.
        var known: String? { name.isEmpty ? nil : name }

        func isFresh(within age: Duration?, at now: ContinuousClock.Instant) -> Bool {
            guard let age else { return true }
            return !isStale && now - told <= age
        }
    }

    private struct State {
        var nodes: [ItemKey: Node] = [:]
        /// Counts news. An answer to a question asked before the latest news may be outdated.
        var news: UInt64 = 0
    }

    // Limits, so that a provider cannot make us climb for ever or fill our memory.
    private static let deepest = 256
    private static let most = 100_000

    private let types: TypeCatalogue
    private let source: any ItemSource
    private let state = Mutex(State())

    /// - Parameter source: is asked for what is unknown.
    package init(types: TypeCatalogue, source: any ItemSource) {
        self.types = types
        self.source = source
    }

    // MARK: Locations

    /// The location of an item, if it is completely known.
    ///
    /// - Parameter mayBeStale: whether a location from before the latest news is acceptable.
    package func cached(_ key: ItemKey, mayBeStale: Bool = false) -> ItemLocation? {
        state.withLock { state in
            guard let node = state.nodes[key], mayBeStale || !node.isStale else { return nil }
            var folders: [CoordinatedItem] = []
            var packages: [CoordinatedItem] = []
            var at = node.parent
            while let parent = at, folders.count < Self.deepest {
                let above = key.sibling(parent)
                guard let folder = state.nodes[above], mayBeStale || !folder.isStale else { return nil }
                folders.append(above.coordinated)
                if folder.isPackage { packages.append(above.coordinated) }
                at = folder.parent
            }
            return ItemLocation(
                item: key.coordinated, folders: folders, packages: packages, isFolder: node.isFolder,
                isPackage: node.isPackage)
        }
    }

    /// The location of an item. Providers are asked for what is unknown.
    ///
    /// - Throws: ``Failure`` `NotFound` if there is no such item. A folder above it that cannot be fetched is not an
    ///   error: it counts as a plain folder at the top.
    package func location(_ key: ItemKey) async throws -> ItemLocation {
        if let known = cached(key) { return known }
        var at = key
        for step in 0..<Self.deepest {
            if state.withLock({ $0.nodes[at]?.isStale ?? true }) {
                do {
                    let item = try await source.bare(at)
                    // The item has been given another identifier in the meantime.
                    if item.reference.key != at, step == 0 {
                        note(item)
                        return try await location(item.reference.key)
                    }
                    note(item, as: at)
                } catch {
                    guard step > 0 else {
                        state.withLock { _ = $0.nodes.removeValue(forKey: at) }
                        throw error
                    }
                    state.withLock { state in
                        if state.nodes[at] == nil {
                            state.nodes[at] = Node(
                                parent: nil, name: "", isFolder: true, isPackage: false, told: .now - .seconds(86_400))
                        }
                        state.nodes[at]?.isStale = false
                    }
                }
            }
            guard let parent = state.withLock({ $0.nodes[at]?.parent }) else { break }
            at = key.sibling(parent)
        }
        if let known = cached(key, mayBeStale: true) { return known }
        // News came in between: what is known of the item itself has to suffice.
        let item = try await source.bare(key)
        return ItemLocation(
            item: key.coordinated, folders: [], packages: [], isFolder: item.isFolder, isPackage: isPackage(item))
    }

    /// The location of a name in a folder that has no such item yet.
    package func absent(_ name: String, in folder: ItemKey) async throws -> ItemLocation {
        let above = try await location(folder)
        // Listings may omit whether the folder ignores case.
        if state.withLock({ $0.nodes[folder] }).map({ $0.ignoresCase == nil }) ?? false,
            let item = try? await source.bare(folder)
        {
            state.withLock { $0.nodes[folder]?.ignoresCase = item.ignoresCase ?? false }
        }
        return ItemLocation(
            item: absentKey(name, in: above.item), folders: [above.item] + above.folders,
            packages: (above.isPackage ? [above.item] : []) + above.packages, isFolder: false, isPackage: false)
    }

    /// The key of a name that does not exist in a folder. Names that the folder does not distinguish get the same key
    /// (2.3).
    package func absentKey(_ name: String, in folder: CoordinatedItem) -> CoordinatedItem {
        let ignoresCase = state.withLock { $0.nodes[folder.item]?.ignoresCase ?? false }
        // File systems that ignore case also treat canonically equivalent characters as equal.
        let folded = name.uppercased().lowercased().decomposedStringWithCanonicalMapping
        // Upper and lower case are both applied, so that letters with several forms fall together. The result may make
        // too many claims wait, but never too few.
        return .absent(ignoresCase ? folded : name, in: folder)
    }

    // MARK: Links

    /// Whether an item is a link, or of unknown kind.
    package func mayBeLink(_ key: ItemKey) -> Bool { state.withLock { $0.nodes[key]?.isLink ?? true } }

    /// The current target of a link; nil if the item is not a link or cannot be fetched. The provider is asked each
    /// time.
    ///
    /// - Throws: ``Failure`` if the target cannot be determined.
    package func linkTarget(of key: ItemKey) async throws -> ItemKey? {
        guard let item = try? await source.bare(key) else {
            try Task.checkCancellation()
            return nil
        }
        note(item, as: key)
        guard item.symbolicLinkTarget != nil else { return nil }
        return try await end(of: item).reference.key
    }

    /// The item itself, or the target if it is a link.
    ///
    /// - Throws: ``Failure`` if the target cannot be determined.
    func end(of item: Wire.Item) async throws -> Wire.Item {
        guard item.symbolicLinkTarget != nil else { return item }
        let end = try await SymbolicLinks.end(of: item) { try await source.bare($0) }
        note(end)
        return end
    }

    // MARK: Locations for rights

    /// The location of an item, if providers reported all of it within `age`; else nil.
    ///
    /// - Parameter age: nil accepts the last report, however old.
    package func place(of key: ItemKey, within age: Duration?) -> RightDecision.Place? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard let node = state.nodes[key], node.isFresh(within: age, at: now) else { return nil }
            var place = RightDecision.Place(item: key, name: node.known, isFolder: node.isFolder && !node.isPackage)
            var at = node.parent
            while let parent = at, place.folders.count < Self.deepest {
                let above = key.sibling(parent)
                guard let folder = state.nodes[above], folder.isFresh(within: age, at: now) else { return nil }
                place.folders.append(above)
                at = folder.parent
            }
            return place
        }
    }

    /// The folder and the name of an item, if they were reported within `age`.
    package func folder(
        of key: ItemKey, within age: Duration?
    ) -> (folder: ItemKey, name: String)? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard let node = state.nodes[key], let parent = node.parent, node.isFresh(within: age, at: now) else {
                return nil
            }
            return (key.sibling(parent), node.name)
        }
    }

    /// The current location of an item. Providers are asked for what they did not report within `age`. A folder whose
    /// provider cannot be asked counts as where it was last reported; a folder that no longer exists ends the path.
    ///
    /// - Throws: ``Failure`` `NotFound` if there is no such item; the provider's error if nothing is known of it.
    package func currentPlace(of given: ItemKey, within age: Duration) async throws -> RightDecision.Place {
        var key = given
        var place: RightDecision.Place?
        var at = given
        for step in 0..<Self.deepest {
            // Its child reports it as its folder, whether or not the folder itself can be fetched.
            if step > 0 { place?.folders.append(at) }
            let (known, news) = state.withLock { ($0.nodes[at], $0.news) }
            var node = known
            if known?.isFresh(within: age, at: .now) != true {
                do {
                    let item = try await source.bare(at)
                    // The item has been given another identifier in the meantime.
                    if step == 0 { (key, at) = (item.reference.key, item.reference.key) }
                    note(item, as: at, since: news)
                    node = self.node(item, at)
                } catch let failure as Failure {
                    if failure.code == .notFound {
                        state.withLock { _ = $0.nodes.removeValue(forKey: at) }
                        node = nil
                    }
                    if step == 0, node == nil { throw failure }
                }
            }
            guard let node else { break }
            if step == 0 {
                place = RightDecision.Place(item: key, name: node.known, isFolder: node.isFolder && !node.isPackage)
            }
            guard let parent = node.parent else { break }
            at = key.sibling(parent)
        }
        return place ?? RightDecision.Place(item: key)
    }

    /// The current children of a folder. Their location is known afterwards.
    ///
    /// - Throws: ``Failure`` if the folder cannot be listed completely.
    package func children(of folder: ItemKey) async throws -> Set<ItemKey> {
        var found: Set<ItemKey> = []
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var page: String?
        repeat {
            let news = self.news
            let listed = try await source.children(of: folder, page: page)
            for item in listed.items {
                note(item, as: item.reference.key, since: news)
                found.insert(item.reference.key)
            }
            page = try pages.next(listed.nextPage, items: listed.items.count)
        } while page != nil
        return found
    }

    /// The name of an item, if known.
    package func name(_ key: ItemKey) -> String? {
        state.withLock { state in state.nodes[key].flatMap { $0.name.isEmpty ? nil : $0.name } }
    }

    /// The folder and the name of an item, as last known.
    func place(_ key: ItemKey) -> [String?]? {
        state.withLock { state in state.nodes[key].map { [$0.parent, $0.name] } }
    }

    /// Whether an item is a package, or is inside one. Providers are asked for what is unknown.
    ///
    /// - Throws: ``Failure``, like ``location(_:)``.
    package func isPackageOrInOne(_ key: ItemKey) async throws -> Bool {
        let place = try await location(key)
        return place.isPackage || !place.packages.isEmpty
    }

    // MARK: News

    /// A number that changes with every piece of news.
    package var news: UInt64 { state.withLock { $0.news } }

    /// Stores what a provider reported of an item.
    package func note(_ item: Wire.Item) { note(item, as: item.reference.key) }

    /// - Parameter news: the value of ``State/news`` when the item was requested.
    private func note(_ item: Wire.Item, as key: ItemKey, since news: UInt64? = nil) {
        var node = node(item, key)
        state.withLock { state in
            if let news { node.isStale = news != state.news }
            if state.nodes.count >= Self.most { state.nodes = [:] }
            if item.ignoresCase == nil { node.ignoresCase = state.nodes[key]?.ignoresCase }
            state.nodes[key] = node
        }
    }

    private func node(_ item: Wire.Item, _ key: ItemKey) -> Node {
        let parent =
            key.identifier == ItemKey.rootIdentifier || item.parent == key.identifier ? nil : item.parent
        return Node(
            parent: parent, name: item.name, isFolder: item.isFolder, isPackage: isPackage(item),
            isLink: item.symbolicLinkTarget != nil, ignoresCase: item.ignoresCase)
    }

    private func isPackage(_ item: Wire.Item) -> Bool {
        guard item.isFolder, let type = UniformType(item.contentType) else { return false }
        return types.registry.conforms(type, to: .package)
    }

    /// Marks what is known of an item as outdated.
    package func drop(_ key: ItemKey) {
        state.withLock { state in
            state.news &+= 1
            state.nodes[key]?.isStale = true
        }
    }

    /// Discards everything known of a provider.
    package func dropAll(_ provider: String, domain: String?) {
        state.withLock { state in
            state.news &+= 1
            for key in Array(state.nodes.keys) where key.provider == provider && (domain == nil || key.domain == domain)
            {
                state.nodes[key]?.isStale = true
            }
        }
    }
}
