package import DocentInterfaces
import HostCore
package import Rights
package import Synchronization

/// Items in memory, for services that only ask where items are: folders, packages, files and links. It counts the
/// requests.
///
/// The identifier is also the name, and determines the kind of the item: `a.txt` a file, `a.rtfd` a package, `a` a
/// folder. Every account has the same items. Thread-safe.
package final class TestItems: ItemSource {
    /// A test may change this at any time.
    package struct State: Sendable {
        /// The folder of each item.
        package var parents: [String: String]
        /// The targets of links.
        package var targets: [String: String] = [:]
        /// The folders that ignore the case of names.
        package var foldingCase: Set<String> = []
        /// Whether requests fail.
        package var isAway = false
        /// How many items were fetched.
        package fileprivate(set) var asked = 0
        /// How many pages were fetched.
        package fileprivate(set) var listed = 0
    }

    package let state: Mutex<State>

    /// Creates items.
    ///
    /// - Parameter parents: the folder of each; `.root` needs none.
    package init(_ parents: [String: String] = [:]) { state = Mutex(State(parents: parents)) }

    package func bare(_ key: ItemKey) async throws -> Wire.Item {
        try state.withLock { state in
            state.asked += 1
            if state.isAway { throw Self.away }
            guard key.identifier == ItemKey.rootIdentifier || state.parents[key.identifier] != nil else {
                throw Failure(.notFound, "It is gone.")
            }
            return Self.item(key, state)
        }
    }

    package func children(
        of folder: ItemKey, page: String?
    ) async throws -> (items: [Wire.Item], nextPage: String?) {
        try state.withLock { state in
            state.listed += 1
            if state.isAway { throw Self.away }
            let inside = state.parents.filter { $0.value == folder.identifier }.keys.sorted()
            return (inside.map { Self.item(folder.sibling($0), state) }, nil)
        }
    }

    private static var away: Failure { Failure(.unavailable, "It is away.") }

    private static func item(_ key: ItemKey, _ state: State) -> Wire.Item {
        let name = key.identifier
        let target = state.targets[name]
        let isPackage = name.hasSuffix(".rtfd")
        let isFolder = target == nil && (isPackage || !name.dropFirst().contains("."))
        return Wire.Item(
            reference: key.reference, parent: state.parents[name], name: name,
            contentType: isPackage ? "com.apple.rtfd" : isFolder ? "public.folder" : "public.data", isFolder: isFolder,
            isDownloaded: true, isUploaded: true, symbolicLinkTarget: target,
            ignoresCase: state.foldingCase.contains(name) ? true : nil)
    }
}
