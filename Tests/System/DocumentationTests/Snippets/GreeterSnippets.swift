import FileProvider

// The smallest provider of "Implementing a provider". The validator is run on it (ValidatorSnippets.swift).

// snippet: greeter
struct Greeter: ReplicatedFileProvider {
    private static let greeting = FileProviderItem(
        identifier: ItemIdentifier("hi"), parent: .rootContainer, filename: "Hi.txt", size: 3)

    init(domain: FileProviderDomain, host: FileProviderHost) {}

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        switch identifier {
        case .rootContainer: FileProviderItem(folder: identifier, parent: identifier, filename: "Greeter")
        case Self.greeting.identifier: Self.greeting
        default: throw FileProviderError(.noSuchItem, "There is nothing but a greeting.")
        }
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        guard try await item(for: parent).isFolder else {
            throw FileProviderError(.invalidArgument, "The greeting is not a folder.")
        }
        return ItemPage(items: [Self.greeting])
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let item = try await item(for: identifier)
        guard !item.isFolder else { throw FileProviderError(.invalidArgument, "A folder has no content.") }
        try destination.write(Array("Hi!".utf8))
        return item
    }
}
// end
