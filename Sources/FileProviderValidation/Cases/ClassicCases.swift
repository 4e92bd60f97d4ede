import DocentInterfaces

/// Providers in the form of iOS 8: URLs, placeholders, and files that are provided and removed.
enum ClassicCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "classic.urls", level: 1, needs: [.classic], requirements: [.interface, .classicURLs],
            "An identifier leads to a URL below the storage, and the URL back to the identifier."
        ) { try await urls($0) },
        ValidationCase(
            "classic.foreignURLs", level: 3, needs: [.classic], requirements: [.interface, .classicURLs, .containment],
            "URLs outside the storage have no identifier."
        ) { try await foreign($0) },
        ValidationCase(
            "classic.provide", level: 1, needs: [.classic], requirements: [.interface, .classicFiles],
            "After Provide the file is at its URL, with the content of the item."
        ) { try await provide($0) },
        ValidationCase(
            "classic.placeholder", level: 2, needs: [.classic],
            requirements: [.interface, .classicFiles, .placeholders],
            "ProvidePlaceholder is answered, and creates no document."
        ) { try await placeholder($0) },
    ]

    private static func documents(_ context: CaseContext) async throws -> [Wire.ProviderItem] {
        let found = try await context.walk().filter { !$0.isFolder }.prefix(10)
        if !found.isEmpty { return Array(found) }
        guard context.has(.write) else { try context.skip("the provider shows no document") }
        let made = try await context.makeFile("classic.bin", count: 3_000).item
        // As the host does after a save: only this call makes the document known to the provider's service.
        _ = try await context.call(
            FileProviderInterface.ItemChanged.self, .init(domain: context.domain, identifier: made.identifier),
            "ItemChanged of a new document")
        return [made]
    }

    private static func urls(_ context: CaseContext) async throws {
        for document in try await documents(context) {
            _ = try await context.path(of: document.identifier)
            let url = try await context.url(of: document.identifier)
            let back = try await context.persistentIdentifier(url)
            context.expect(
                CaseContext.isSame(back, document.identifier), did: "PersistentIdentifier of \(PlainText.quoted(url))",
                expected: PlainText.quoted(document.identifier), got: PlainText.quoted(back))
        }
    }

    private static func foreign(_ context: CaseContext) async throws {
        let storage = try context.session.instance.storage
        let urls = [
            "file:///etc/passwd", "file://\(storage)/../outside.txt", "https://example.org/x", "no URL at all", "",
        ]
        for url in urls {
            try await context.expectError(did: "PersistentIdentifier of \(PlainText.quoted(url))") {
                try await context.persistentIdentifier(url)
            }
        }
    }

    private static func provide(_ context: CaseContext) async throws {
        for document in try await documents(context) {
            let bytes = try await context.provided(document.identifier)
            if let size = document.size {
                context.expect(
                    bytes.count == size, did: "Provide of \(PlainText.quoted(document.name))",
                    expected: "a file of \(size) bytes", got: "a file of \(bytes.count) bytes")
            }
            let again = try await context.provided(document.identifier)
            context.expect(
                bytes == again, did: "Provide of \(PlainText.quoted(document.name)), called again",
                expected: "the same content", got: PlainText.difference(again, bytes))
        }
    }

    private static func placeholder(_ context: CaseContext) async throws {
        for document in try await documents(context) {
            let wasThere = try await context.hasFile(document.identifier)
            _ = try await context.call(
                FileProviderInterface.ProvidePlaceholder.self,
                .init(domain: context.domain, identifier: document.identifier),
                "ProvidePlaceholder of " + PlainText.quoted(document.name))
            let isThere = try await context.hasFile(document.identifier)
            context.expect(
                isThere == wasThere, did: "ProvidePlaceholder of \(PlainText.quoted(document.name))",
                expected: wasThere ? "the file as before" : "no file at the document's own URL",
                got: isThere ? "a file there" : "no file any more", requirement: .placeholders)
        }
    }
}
