package import Coordination
package import DocentInterfaces
package import ExtensionHosting
import Foundation
import HostCore
package import Rights
import Synchronization
import UniformTypes

/// Where items lie: the folders above each, as far as they were asked for, and which of them are packages (SEMANTICS
/// 2.3).
///
/// Thread-safe. ``cached(_:)`` takes only a lock; what is not known is asked of the providers. Dropped on news.
package final class ItemHierarchy: Sendable {
    private struct Node {
        var parent: String?
        var name: String
        var isFolder: Bool
        var isPackage: Bool
        var isLink = false
        /// Whether names in it that differ in case alone are one; nil: nobody has asked yet.
        var ignoresCase: Bool?
        /// There was news of it: it is asked for again by whoever can wait.
        var isStale = false
        /// When its provider said so.
        var told = ContinuousClock.now

        /// Its name; nil where none was told.
        var known: String? { name.isEmpty ? nil : name }

        func isFresh(within age: Duration?, at now: ContinuousClock.Instant) -> Bool {
            guard let age else { return true }
            return !isStale && now - told <= age
        }
    }

    private struct State {
        var nodes: [Rights.ItemKey: Node] = [:]
        /// How often there was news: what was asked for before is not known to be right after it.
        var news: UInt64 = 0
    }

    /// Gives an item.
    package typealias Asker = @Sendable (Rights.ItemKey) async throws -> Wire.Item

    /// Gives a page of a folder.
    package typealias Lister =
        @Sendable (_ folder: Rights.ItemKey, _ page: String?) async throws -> (
            items: [Wire.Item], nextPage: String?
        )

    // A provider cannot make us climb for ever, nor remember without bounds.
    private static let deepest = 256
    private static let most = 100_000

    private let types: TypeCatalogue
    private let asker: Asker
    private let lister: Lister?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - ask: knows items.
    ///   - list: knows what is in folders; nil where nobody does.
    package init(types: TypeCatalogue, ask: @escaping Asker, list: Lister? = nil) {
        self.types = types
        asker = ask
        lister = list
    }

    // MARK: Looking

    /// The place of an item, if all of it is known already.
    ///
    /// - Parameter mayBeStale: whether it will do although there was news since.
    package func cached(_ key: Rights.ItemKey, mayBeStale: Bool = false) -> ItemLocation? {
        state.withLock { state in
            guard let node = state.nodes[key], mayBeStale || !node.isStale else { return nil }
            var folders: [Coordination.ItemKey] = []
            var packages: [Coordination.ItemKey] = []
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

    /// The place of an item; the providers are asked for what is not known.
    ///
    /// - Throws: ``Failure`` `NotFound` when there is no such item. That a folder above it cannot be had is no error:
    ///   it counts as a plain one at the top.
    package func location(_ key: Rights.ItemKey) async throws -> ItemLocation {
        if let known = cached(key) { return known }
        var at = key
        for step in 0..<Self.deepest {
            if state.withLock({ $0.nodes[at]?.isStale ?? true }) {
                do {
                    let item = try await ask(at)
                    // An item that goes by another identifier meanwhile.
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
        // News came in between: what is known of the item itself must do.
        let item = try await ask(key)
        return ItemLocation(
            item: key.coordinated, folders: [], packages: [], isFolder: item.isFolder, isPackage: isPackage(item))
    }

    /// The place of a name in a folder where nothing is yet.
    package func absent(_ name: String, in folder: Rights.ItemKey) async throws -> ItemLocation {
        let above = try await location(folder)
        // Listings may leave it out.
        if state.withLock({ $0.nodes[folder] }).map({ $0.ignoresCase == nil }) ?? false,
            let item = try? await ask(folder)
        {
            state.withLock { $0.nodes[folder]?.ignoresCase = item.ignoresCase ?? false }
        }
        return ItemLocation(
            item: absentKey(name, in: above.item), folders: [above.item] + above.folders,
            packages: (above.isPackage ? [above.item] : []) + above.packages, isFolder: false, isPackage: false)
    }

    /// What stands for a name in a folder where nothing is: one and the same for names that the folder does not tell
    /// apart (2.3).
    package func absentKey(_ name: String, in folder: Coordination.ItemKey) -> Coordination.ItemKey {
        let ignoresCase = state.withLock { $0.nodes[folder.item]?.ignoresCase ?? false }
        // Such file systems take letters that look alike as one, too.
        let folded = name.uppercased().lowercased().decomposedStringWithCanonicalMapping
        // Both ways, so that letters with several small or capital forms fall together: too much waits, never too
        // little.
        return .absent(ignoresCase ? folded : name, in: folder)
    }

    // MARK: Links

    /// Whether an item is not known to be something else than a link.
    package func mayBeLink(_ key: Rights.ItemKey) -> Bool { state.withLock { $0.nodes[key]?.isLink ?? true } }

    /// What a link leads to now; nil for what is no link, or cannot be looked at. Its provider is asked each time.
    ///
    /// - Throws: ``Failure``: why what it leads to cannot be told.
    package func linkTarget(of key: Rights.ItemKey) async throws -> Rights.ItemKey? {
        guard let item = try? await ask(key) else {
            try Task.checkCancellation()
            return nil
        }
        note(item, as: key)
        guard item.symbolicLinkTarget != nil else { return nil }
        return try await end(of: item).reference.key
    }

    /// What an item is used as: itself, or what it leads to.
    ///
    /// - Throws: ``Failure``: why that cannot be told.
    func end(of item: Wire.Item) async throws -> Wire.Item {
        guard item.symbolicLinkTarget != nil else { return item }
        let end = try await SymbolicLinks.end(of: item) { try await self.ask($0) }
        note(end)
        return end
    }

    // MARK: Places for rights

    /// Where an item lies, as far as that was told within so long; nil when it is not known.
    ///
    /// - Parameter age: nil takes what was told last, whenever that was.
    package func place(of key: Rights.ItemKey, within age: Duration?) -> RightDecision.Place? {
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

    /// The folder and the name of an item, as far as they were told within so long.
    package func folder(
        of key: Rights.ItemKey, within age: Duration?
    ) -> (folder: Rights.ItemKey, name: String)? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard let node = state.nodes[key], let parent = node.parent, node.isFresh(within: age, at: now) else {
                return nil
            }
            return (key.sibling(parent), node.name)
        }
    }

    /// Where an item lies now: the providers are asked for what they did not tell within so long. A folder whose
    /// provider cannot be asked counts as where it was told last to be; one that is gone ends the way up.
    ///
    /// - Throws: ``Failure`` `NotFound` when there is no such item; what its provider says when nothing is known of it.
    package func currentPlace(of given: Rights.ItemKey, within age: Duration) async throws -> RightDecision.Place {
        var key = given
        var place: RightDecision.Place?
        var at = given
        for step in 0..<Self.deepest {
            // Its child says that it lies there, whether it can be asked itself or not.
            if step > 0 { place?.folders.append(at) }
            let (known, news) = state.withLock { ($0.nodes[at], $0.news) }
            var node = known
            if known?.isFresh(within: age, at: .now) != true {
                do {
                    let item = try await ask(at)
                    // An item that goes by another identifier meanwhile.
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

    /// What is in a folder now; where it lies is known then.
    ///
    /// - Throws: ``Failure``, when it cannot be listed to its end.
    package func children(of folder: Rights.ItemKey) async throws -> Set<Rights.ItemKey> {
        guard let list = lister else { throw Failure(.notSupported, "The folder cannot be listed.") }
        var found: Set<Rights.ItemKey> = []
        var pages = PageSequence(provider: folder.provider, folder: folder.identifier)
        var page: String?
        repeat {
            let news = self.news
            let listed = try await list(folder, page)
            for item in listed.items {
                note(item, as: item.reference.key, since: news)
                found.insert(item.reference.key)
            }
            page = try pages.next(listed.nextPage, items: listed.items.count)
        } while page != nil
        return found
    }

    private func ask(_ key: Rights.ItemKey) async throws -> Wire.Item { try await asker(key) }

    /// The name of an item, where it is known.
    package func name(_ key: Rights.ItemKey) -> String? {
        state.withLock { state in state.nodes[key].flatMap { $0.name.isEmpty ? nil : $0.name } }
    }

    /// The folder and the name of an item, as they were known last.
    func place(_ key: Rights.ItemKey) -> [String?]? {
        state.withLock { state in state.nodes[key].map { [$0.parent, $0.name] } }
    }

    /// The packages in which an item lies, nearest first, as far as that is known.
    package func packages(of key: Rights.ItemKey) -> [Rights.ItemKey] {
        cached(key)?.packages.map(\.item) ?? []
    }

    /// Whether an item is a package, or lies in one; the providers are asked for what is not known.
    ///
    /// - Throws: ``Failure``, like ``location(_:)``.
    package func isPackageOrInOne(_ key: Rights.ItemKey) async throws -> Bool {
        let place = try await location(key)
        return place.isPackage || !place.packages.isEmpty
    }

    // MARK: News

    /// Changes with each news.
    package var news: UInt64 { state.withLock { $0.news } }

    /// Takes in what a provider said of an item.
    package func note(_ item: Wire.Item) { note(item, as: item.reference.key) }

    /// - Parameter news: what ``State/news`` was when it was asked for.
    private func note(_ item: Wire.Item, as key: Rights.ItemKey, since news: UInt64? = nil) {
        var node = node(item, key)
        state.withLock { state in
            if let news { node.isStale = news != state.news }
            if state.nodes.count >= Self.most { state.nodes = [:] }
            if item.ignoresCase == nil { node.ignoresCase = state.nodes[key]?.ignoresCase }
            state.nodes[key] = node
        }
    }

    private func node(_ item: Wire.Item, _ key: Rights.ItemKey) -> Node {
        let parent =
            key.identifier == Rights.ItemKey.rootIdentifier || item.parent == key.identifier ? nil : item.parent
        return Node(
            parent: parent, name: item.name, isFolder: item.isFolder, isPackage: isPackage(item),
            isLink: item.symbolicLinkTarget != nil, ignoresCase: item.ignoresCase)
    }

    private func isPackage(_ item: Wire.Item) -> Bool {
        guard item.isFolder, let type = UniformType(item.contentType) else { return false }
        return types.registry.conforms(type, to: .package)
    }

    /// Whether anything is known of an item.
    package func knows(_ key: Rights.ItemKey) -> Bool { state.withLock { $0.nodes[key] != nil } }

    /// Something about an item may be another now.
    package func drop(_ key: Rights.ItemKey) {
        state.withLock { state in
            state.news &+= 1
            state.nodes[key]?.isStale = true
        }
    }

    /// Nothing that is known of a provider can be relied on.
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
