import FileProvider

/// A provider that only shows two documents, for tests of the validator.
struct ShelfProvider: ReplicatedFileProvider {
    static let content = Array("A shelf with a book.\n".utf8)

    init(domain: FileProviderDomain, host: FileProviderHost) throws {}

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: identifier, parent: identifier, filename: "Shelf")
        }
        guard let item = Self.items.first(where: { $0.identifier == identifier }) else {
            throw FileProviderError(.noSuchItem, "There is no such book.")
        }
        return item
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        guard parent == .rootContainer else {
            _ = try await item(for: parent)
            throw FileProviderError(.invalidArgument, "A book has no children.")
        }
        guard page == nil else { throw FileProviderError(.invalidArgument, "There is one page.") }
        return ItemPage(items: Self.items)
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let item = try await item(for: identifier)
        guard !item.isFolder else { throw FileProviderError(.invalidArgument, "A shelf has no content.") }
        try destination.write(Self.content)
        return item
    }

    private static var items: [FileProviderItem] {
        ["one", "two"].map {
            FileProviderItem(
                identifier: ItemIdentifier($0), parent: .rootContainer, filename: $0 + ".txt", size: content.count,
                version: ItemVersion(content: "1"))
        }
    }
}

/// The same, but every item has another identifier each time.
struct ForgetfulShelf: ReplicatedFileProvider {
    private let shelf: ShelfProvider

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        shelf = try ShelfProvider(domain: domain, host: host)
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await shelf.item(for: identifier)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        var answer = try await shelf.children(of: parent, page: page)
        for index in answer.items.indices {
            answer.items[index].identifier = ItemIdentifier("book \(UInt64.random(in: 0 ... .max))")
        }
        return answer
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await shelf.fetchContents(of: identifier, into: destination, progress: progress)
    }
}
