import FoundationEssentials

/// The contents of a new domain: documents of several sizes, a nested folder, and a folder of several pages.
enum SampleDocuments {
    /// The number of documents in the folder `Many`.
    static let many = 130

    /// Stores the contents, and returns the first change of the tree.
    static func make(_ files: TreeFiles) throws -> TreeChange {
        var change = TreeChange(sequence: 1)
        let root = TreeState.root
        func add(_ name: String, _ parent: String, _ content: [UInt8]?) throws -> String {
            change.serial += 1
            let identifier = "i\(change.serial)"
            if let content { try files.store(content, as: "c\(change.serial)") }
            change.entries.append(
                Entry(
                    identifier: identifier, parent: parent, name: name, isFolder: content == nil,
                    content: content.map { _ in "c\(change.serial)" }, size: content?.count ?? 0,
                    version: "v\(change.serial)", created: 1_700_000_000, modified: 1_700_000_000))
            return identifier
        }
        _ = try add("Welcome.txt", root, Array("Nothing here is what it seems.\n".utf8))
        _ = try add("Empty.txt", root, [])
        let reports = try add("Reports", root, nil)
        _ = try add("Report.bin", reports, (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let old = try add("Old", reports, nil)
        _ = try add("Notes.txt", old, Array("Long ago.\n".utf8))
        let folder = try add("Many", root, nil)
        for number in 1...many {
            _ = try add("Letter \(number).txt", folder, Array("Letter \(number)\n".utf8))
        }
        return change
    }
}
