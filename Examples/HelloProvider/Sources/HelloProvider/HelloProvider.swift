import FileProvider

/// A provider whose documents live in memory: what a service in the network looks like to Docent.
actor HelloProvider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.write, .delete] }

    private struct Entry {
        var parent: ItemIdentifier
        var name: String
        var content: [UInt8]?
        var version: String
    }

    private let host: FileProviderHost
    private var entries: [ItemIdentifier: Entry]

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        self.host = host
        let letters = ItemIdentifier("letters")
        entries = [
            ItemIdentifier("welcome"): Self.document("Welcome.txt", in: .rootContainer, lines: 20),
            ItemIdentifier("report"): Self.document("Report.txt", in: .rootContainer, lines: 6_000),
            letters: Entry(parent: .rootContainer, name: "Letters", content: nil, version: "1"),
            ItemIdentifier("letter"): Self.document("To whom it may concern.txt", in: letters, lines: 200),
        ]
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: identifier, parent: identifier, filename: "Hello")
        }
        return describe(identifier, try entry(identifier))
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        if parent != .rootContainer { _ = try entry(parent) }
        let children = entries.filter { $0.value.parent == parent }
        return ItemPage(items: children.map { describe($0.key, $0.value) }.sorted { $0.filename < $1.filename })
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let entry = try entry(identifier)
        guard let content = entry.content else {
            throw FileProviderError(.invalidArgument, "“\(entry.name)” is a folder.")
        }
        // In pieces, as they would come from a network.
        for start in stride(from: 0, to: content.count, by: 65_536) {
            try destination.write(content[start..<min(start + 65_536, content.count)])
            try await progress.report(completed: destination.bytesWritten, total: content.count)
        }
        return describe(identifier, entry)
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        guard !entries.values.contains(where: { $0.parent == template.parent && $0.name == template.filename }) else {
            throw FileProviderError(.filenameCollision, "“\(template.filename)” exists.")
        }
        let identifier = ItemIdentifier("item-\(operation.identifier)")
        let entry = Entry(
            parent: template.parent, name: template.filename, content: try contents.map { Array(try $0.readAll()) },
            version: operation.digest ?? operation.identifier)
        entries[identifier] = entry
        host.signalChanged([template.parent])
        return describe(identifier, entry)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        var entry = try entry(identifier)
        guard baseVersion == nil || baseVersion?.content == entry.version else {
            throw FileProviderError(.versionOutOfDate, "“\(entry.name)” was changed meanwhile.")
        }
        entry.content = Array(try contents.readAll())
        entry.version = operation.digest ?? operation.identifier
        entries[identifier] = entry
        host.signalChanged([identifier])
        return ModifiedItem(item: describe(identifier, entry))
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let entry = try entry(identifier)
        let children = entries.filter { $0.value.parent == identifier }.map(\.key)
        guard recursive || children.isEmpty else {
            throw FileProviderError(.directoryNotEmpty, "“\(entry.name)” is not empty.")
        }
        for child in children { try await deleteItem(child, baseVersion: nil, recursive: true) }
        entries[identifier] = nil
        host.signalChanged([entry.parent])
    }

    private func entry(_ identifier: ItemIdentifier) throws -> Entry {
        guard let entry = entries[identifier] else {
            throw FileProviderError(.noSuchItem, "There is no item \(identifier).")
        }
        return entry
    }

    private func describe(_ identifier: ItemIdentifier, _ entry: Entry) -> FileProviderItem {
        guard let content = entry.content else {
            return FileProviderItem(folder: identifier, parent: entry.parent, filename: entry.name)
        }
        return FileProviderItem(
            identifier: identifier, parent: entry.parent, filename: entry.name, size: content.count,
            version: ItemVersion(content: entry.version))
    }

    private static func document(_ name: String, in parent: ItemIdentifier, lines: Int) -> Entry {
        let text = (1...lines).map { "\($0): Hello from a provider that was dropped in.\n" }.joined()
        return Entry(parent: parent, name: name, content: Array(text.utf8), version: "1")
    }
}
