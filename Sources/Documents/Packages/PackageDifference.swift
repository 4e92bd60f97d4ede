/// The steps that turn one package into another, element by element. Pure.
package struct PackageDifference: Equatable {
    /// One step of the change.
    package enum Step: Hashable, Sendable {
        /// Removes the element at the path, with everything below it.
        case remove(String)
        /// Creates an empty folder.
        case folder(String)
        /// Uses an unchanged element of the base at another path.
        case keep(from: String, at: String)
        /// Writes new content.
        case file(String)
    }

    /// An element of the wanted package.
    package struct Node: Hashable, Sendable {
        package let path: String
        package let isFolder: Bool
        /// The path of exactly this content in the base; nil when it is new.
        package let source: String?

        package init(path: String, isFolder: Bool = false, source: String? = nil) {
            self.path = path
            self.isFolder = isFolder
            self.source = source
        }
    }

    /// In order: removals, then folders, then unchanged elements at new paths, then new content.
    package let steps: [Step]

    /// Plans the change.
    ///
    /// - Parameters:
    ///   - base: the current elements; the new package starts as a copy of them.
    ///   - wanted: the elements of the new package, each path once.
    package init(base: [PackageElement], wanted: [Node]) {
        let there = Dictionary(base.map { ($0.path, $0.isFolder) }, uniquingKeysWith: { first, _ in first })
        let kinds = Dictionary(wanted.map { ($0.path, $0.isFolder) }, uniquingKeysWith: { first, _ in first })
        let inhabited = Set(wanted.compactMap { Self.folder(of: $0.path) })

        var removed: Set<String> = []
        var removals: [Step] = []
        for element in base.sorted(by: { $0.path < $1.path }) where kinds[element.path] != element.isFolder {
            if !Self.ancestors(of: element.path).contains(where: removed.contains) {
                removals.append(.remove(element.path))
            }
            removed.insert(element.path)
        }
        var folders: [Step] = []
        var kept: [Step] = []
        var files: [Step] = []
        for node in wanted.sorted(by: { $0.path < $1.path }) {
            if node.isFolder {
                // The folders above an element are created with it.
                if there[node.path] != true, !inhabited.contains(node.path) { folders.append(.folder(node.path)) }
            } else if let source = node.source, there[source] == false {
                if source != node.path { kept.append(.keep(from: source, at: node.path)) }
            } else {
                files.append(.file(node.path))
            }
        }
        steps = removals + folders + kept + files
    }

    /// The containing folder of a path; nil at the top.
    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    private static func ancestors(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }
}
