import DocentTestSupport
import Documents
import Foundation
import Testing

/// The Document class with packages, against a real daemon (M4): each document has its own client.
@Suite(.needs(.daemon, .server)) @MainActor struct PackageDocumentTests {
    private final class Pages: Document {
        var root = FileWrapper(directoryWithFileWrappers: [:])

        override func load(fromContents contents: DocumentContents, ofType type: String) throws {
            root = try #require(contents.fileWrapper)
        }

        override func contents(forType type: String) throws -> DocumentContents { .fileWrapper(root) }

        func text(_ name: String) -> String? {
            guard let data = root.fileWrappers?[name]?.regularFileContents else { return nil }
            return String(decoding: data, as: UTF8.self)
        }

        func edit(_ name: String, _ text: String) {
            if let old = root.fileWrappers?[name] { root.removeFileWrapper(old) }
            let page = FileWrapper(regularFileWithContents: Data(text.utf8))
            page.preferredFilename = name
            root.addFileWrapper(page)
            updateChangeCount(.done)
        }
    }

    private static let content = ["1.txt": "one", "2.txt": "two"]

    private static func open(_ location: DocumentLocation, _ client: DocumentsClient) async throws -> Pages {
        let document = Pages(document: try await DocumentPicker(client: client).openDocument(at: location))
        try await document.open()
        return document
    }

    /// Two documents on one package edit different pages in turn.
    private static func take(
        _ installation: Installation, _ location: DocumentLocation, _ settle: () async throws -> Void
    ) async throws {
        let first = try await open(location, installation.client())
        let second = try await open(location, installation.client())
        #expect(first.text("1.txt") == "one")
        let version = try #require(first.fileVersion)
        #expect(version == second.fileVersion)
        for round in 1...3 {
            first.edit("1.txt", "first \(round)")
            try await first.save()
            try await installation.eventually("the second follows", within: 60) {
                second.text("1.txt") == "first \(round)"
            }
            try await settle()
            second.edit("2.txt", "second \(round)")
            try await second.save()
            try await installation.eventually("the first follows", within: 60) {
                first.text("2.txt") == "second \(round)"
            }
            try await settle()
        }
        #expect(first.fileVersion != version)
        #expect(first.state == .normal && second.state == .normal)
        try await first.close()
        try await second.close()
    }

    @Test(
        "M4, N3: two documents on one LocalFolder package follow each other's saves and other programs' changes; the second save of a file wrapper sends only the changes, and matches the stored package"
    )
    func local() async throws {
        try await Installation.withLocalFolder { installation in
            // First: it looks at all names.
            try await TestStep.run("two documents") { try await Self.follows(installation) }
            try await TestStep.run("incremental") { try await Self.incremental(installation) }
        }
    }

    /// Two documents on one package follow each other's saves and other programs' changes (M4).
    private static func follows(_ installation: Installation) async throws {
        try installation.makePackage("Note.rtfd", Self.content)
        let location = try DocumentLocation("LocalFolder:/Note.rtfd")
        try await Self.take(installation, location) {}
        #expect(installation.package("Note.rtfd") == ["1.txt": "first 3", "2.txt": "second 3"])
        #expect(installation.documentNames == ["Note.rtfd"])
        let document = try await Self.open(location, installation.client())
        try installation.write("foreign", to: "Note.rtfd/2.txt")
        try await installation.eventually("a deep change is noticed", within: 60) {
            document.text("2.txt") == "foreign"
        }
        try await document.close()
        try await installation.eventually("nothing is staged any more") { installation.leftovers.isEmpty }
    }

    /// The second save of a file wrapper sends only the changes, and matches the stored package (N3).
    private static func incremental(_ installation: Installation) async throws {
        try installation.makePackage("Wrapped.rtfd", Self.content)
        let client = installation.client()
        let package = try await installation.openPackage("Wrapped.rtfd", client: client)
        let coordinator = FileCoordinator(client: client)
        let root = try await coordinator.coordinate(readingItemAt: package.reference) { access in
            #expect(access.item.version?.isEmpty == false)
            return try await FileWrapper.read(from: access.package, options: .immediate)
        }
        for round in 1...3 {
            let old = try #require(root.fileWrappers?["1.txt"])
            root.removeFileWrapper(old)
            let page = FileWrapper(regularFileWithContents: Data("round \(round)".utf8))
            page.preferredFilename = "1.txt"
            root.addFileWrapper(page)
            let saved = try await coordinator.coordinate(writingItemAt: package.reference) { access in
                let session = try await access.package()
                try await root.write(to: session)
                let staged = installation.leftovers.flatMap {
                    Array(Installation.files(below: "\(installation.data)/\($0)").values)
                }
                #expect(staged.filter { $0 == "two" }.isEmpty && staged.contains("round \(round)"))
                return try await session.commit()
            }
            let now = try await client.document(package.reference).item().version
            #expect(now == saved.version)
            let matches = try await coordinator.coordinate(readingItemAt: package.reference) { access in
                try await root.matchesContents(of: access.package)
            }
            #expect(matches, "round \(round)")
        }
        try installation.write("foreign", to: "Wrapped.rtfd/2.txt")
        let stillMatches = try await coordinator.coordinate(readingItemAt: package.reference) { access in
            try await root.matchesContents(of: access.package)
        }
        #expect(!stillMatches)
        client.close()
    }

    @Test("M4, N3: two documents on one WebDAV package follow each other, with every save sent before the next")
    func remote() async throws {
        try await RemoteInstallation.with { server in
            try await RemotePackageTests.put("Note.rtfd", Self.content, server)
        } _: { remote in
            let location = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/Note.rtfd")
            try await Self.take(remote.installation, location) {
                _ = try await remote.drain().succeeded()
            }
            let expected = ["1.txt": "first 3", "2.txt": "second 3"]
            #expect(
                try await RemotePackageTests.content("Note.rtfd", Array(expected.keys), remote.server) == expected)
            #expect(try await remote.versions().isEmpty)
        }
    }
}
