/// What has to be done to make one package of another, element by element (N3). Pure.
package struct PackageDifference: Equatable {
    /// One step of the change.
    package enum Step: Hashable, Sendable {
        /// There is nothing at the path any more, nor below it.
        case remove(String)
        /// A folder, and nothing in it.
        case folder(String)
        /// An element of the base at another path, unchanged.
        case keep(from: String, at: String)
        /// New content.
        case file(String)
    }

    /// An element of the package that is wanted.
    package struct Node: Hashable, Sendable {
        package let path: String
        package let isFolder: Bool
        /// Where the base has exactly this content; nil where it is new.
        package let source: String?

        package init(path: String, isFolder: Bool = false, source: String? = nil) {
            self.path = path
            self.isFolder = isFolder
            self.source = source
        }
    }

    /// In order: what goes, then folders, then what stays under another name, then what is new.
    package let steps: [Step]

    /// - Parameters:
    ///   - base: what is there now; the new package begins as a copy of it.
    ///   - wanted: what is to be there, each path once.
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
                // The folders on the way to an element are made with it.
                if there[node.path] != true, !inhabited.contains(node.path) { folders.append(.folder(node.path)) }
            } else if let source = node.source, there[source] == false {
                if source != node.path { kept.append(.keep(from: source, at: node.path)) }
            } else {
                files.append(.file(node.path))
            }
        }
        steps = removals + folders + kept + files
    }

    /// The folder that a path lies in; nil at the top.
    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    private static func ancestors(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }
}
