import GRDB
import Rights

/// The folders above items, each read once. For one search.
struct SearchFolders {
    struct Folder {
        let parent: Int64
        let item: String
        let name: String
        /// The folded name; nil for a folder of which only the identifier is known.
        let folded: [UInt8]?
    }

    private let database: Database
    private var known: [Int64: Folder?] = [:]

    init(_ database: Database) { self.database = database }

    mutating func folder(_ number: Int64) throws -> Folder? {
        if let folder = known[number] { return folder }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT parent, name, flags, item FROM document WHERE id = ?"),
            arguments: [number])
        let folder = row.map { row in
            let isUnknown = SearchSchema.Flags(rawValue: row[2]).contains(.unknown)
            let name: String = row[1]
            return Folder(
                parent: row[0], item: row[3], name: name, folded: isUnknown ? nil : Array(NameFolding.fold(name).utf8))
        }
        known[number] = folder
        return folder
    }

    /// The identifier of a folder; nil if there is none.
    mutating func identifier(_ number: Int64) throws -> String? { try folder(number)?.item }

    /// The folders above an item, nearest first. Ends at a cycle.
    mutating func above(_ parent: Int64) throws -> [Folder] {
        var folders: [Folder] = []
        var next = parent
        while next != 0, folders.count < SearchIndex.mostFoldersAbove, let folder = try folder(next) {
            folders.append(folder)
            next = folder.parent
        }
        return folders
    }

    /// Whether an item is one of some items, or is in one of them.
    mutating func isBelow(_ number: Int64, _ wanted: Set<Int64>) throws -> Bool {
        var next = number
        for _ in 0...SearchIndex.mostFoldersAbove {
            if wanted.contains(next) { return true }
            guard let folder = try folder(next), folder.parent != 0 else { return false }
            next = folder.parent
        }
        return false
    }

    /// The path of an item; nil if a folder above it is not known.
    mutating func path(of name: String, in parent: Int64) throws -> String? {
        guard parent != 0 else { return "/" }
        let folders = try above(parent)
        // The top folder has no name in a path.
        guard let top = folders.last, top.item == ItemKey.rootIdentifier,
            folders.dropLast().allSatisfy({ $0.folded != nil })
        else {
            return nil
        }
        return "/" + (folders.dropLast().reversed().map(\.name) + [name]).joined(separator: "/")
    }
}
