import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Rights and links: a right applies to a document, never to the changing target of a link (2.3, law 2; X3).
@Suite(.needs(.daemon, .server)) struct LinkRightTests {
    @Test(
        "2.3, G7, X3: rights through links are rights to their targets and reach nothing else, however a link is changed; chains and folders are followed"
    )
    func rights() async throws {
        try await LinkingStage.with { stage in
            for (name, step) in [
                ("picked", Self.picked), ("turned", Self.turned), ("chains", Self.chains), ("folders", Self.folders),
            ] {
                let client = stage.installation.client("org.example.\(name)")
                defer { client.close() }
                try await TestStep.run(name) { try await step(stage, client) }
            }
        }
    }

    /// A right picked through a link is a right to its target, and stays there when the link is changed (X3).
    private static func picked(_ stage: LinkingStage, _ client: DocumentsClient) async throws {
        try stage.link("link.txt", to: "a.txt")
        let opened = try await DocumentPicker(client: client).openDocument(at: stage.location("/link.txt"))
        #expect(opened.reference == stage.reference("a.txt"))
        #expect(await Rights.read(client, opened.reference) == "the content of a.txt")
        try stage.link("link.txt", to: "secret.txt")
        for name in ["link.txt", "secret.txt"] {
            #expect(await Rights.read(client, stage.reference(name)) == Rights.refused, "\(name)")
        }
        #expect(await Rights.read(client, opened.reference) == "the content of a.txt")
        let grants = try await Rights.grants(stage.installation).filter { $0.client == "org.example.picked" }
        #expect(grants.map(\.identifier) == ["a.txt"])
    }

    /// A right to a folder with a link in it reaches no document outside, however the link is changed (G7).
    private static func turned(_ stage: LinkingStage, _ client: DocumentsClient) async throws {
        try stage.link("folder/link.txt", to: "folder/b.txt")
        _ = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: stage.location("/folder"))
        let link = stage.reference("folder/link.txt")
        #expect(await Rights.read(client, link) == "the content of folder/b.txt")
        let bookmark = try await client.document(link).bookmark()
        for target in ["secret.txt", "a.txt"] {
            try stage.link("folder/link.txt", to: target)
            #expect(await Rights.read(client, link) == Rights.refused, "\(target)")
            for attack in Self.attacks(client, link) {
                #expect(
                    await IsolationTests.failure { try await attack.body() } == .notPermitted,
                    "\(target): \(attack.name)")
            }
            // The client sees that it is a link, but not its target.
            let item = try await client.document(link).item()
            #expect(item.isSymbolicLink && item.symbolicLinkTarget == nil, "\(target)")
            // The bookmark refers to the link's target when it was created.
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(resolved.item.reference == stage.reference("folder/b.txt"), "\(target)")
        }
        try stage.link("folder/link.txt", to: "folder/b.txt")
        #expect(await Rights.read(client, link) == "the content of folder/b.txt")
        #expect(try await client.document(link).item().symbolicLinkTarget == stage.reference("folder/b.txt"))
    }

    private static func attacks(
        _ client: DocumentsClient, _ link: DocumentReference
    ) -> [(name: String, body: () async throws -> Void)] {
        [
            ("open", { close(try await client.document(link).openForReading()) }),
            ("download", { _ = try await client.document(link).download() }),
            (
                "import",
                {
                    _ = try await client.call(
                        DocumentsInterface.Import.self, .init(reference: link.wire, operation: UUID().uuidString))
                }
            ),
            ("write", { _ = try await client.document(link, access: .readWrite).beginWriting(replacing: true) }),
            ("change", { _ = try await client.document(link, access: .readWrite).beginWriting(replacing: false) }),
            ("bookmark", { _ = try await client.document(link).bookmark() }),
            ("read", { try await FileCoordinator(client: client).coordinate(readingItemAt: link) { _ in } }),
            (
                "read what it leads to",
                {
                    try await FileCoordinator(client: client).coordinate(
                        readingItemAt: link, options: .resolvesSymbolicLink
                    ) { _ in }
                }
            ),
            (
                "read its attributes",
                {
                    try await FileCoordinator(client: client).coordinate(
                        readingItemAt: link, options: .immediatelyAvailableMetadataOnly
                    ) { _ in }
                }
            ),
            ("claim", { try await FileCoordinator(client: client).coordinate(writingItemAt: link) { _ in } }),
        ]
    }

    private static func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "no failure"
        } catch {
            return (error as? DocumentsError)?.message ?? "\(error)"
        }
    }

    /// Up to eight links in a row are followed; more, and circles, are clear errors (2.3).
    private static func chains(_ stage: LinkingStage, _ client: DocumentsClient) async throws {
        try stage.link("1", to: "a.txt")
        for number in 2...9 { try stage.link("\(number)", to: "\(number - 1)") }
        try stage.link("left", to: "right")
        try stage.link("right", to: "left")
        let picker = DocumentPicker(client: client)
        #expect(try await picker.openDocument(at: stage.location("/8")).reference == stage.reference("a.txt"))
        let long = await Self.message { _ = try await picker.openDocument(at: stage.location("/9")) }
        #expect(long.contains("more than 8"), "\(long)")
        let circle = await Self.message {
            _ = try await picker.openDocument(at: stage.location("/left"))
        }
        #expect(circle.contains("circle"), "\(circle)")
    }

    /// A link to a folder is followed within a path, and is the folder at the end of a location (X3).
    private static func folders(_ stage: LinkingStage, _ client: DocumentsClient) async throws {
        try FileManager.default.createDirectory(
            atPath: stage.workshop.storage + "/listed", withIntermediateDirectories: false)
        try stage.write("the content of listed/b.txt", "listed/b.txt")
        try stage.link("way", to: "listed")
        let picker = DocumentPicker(client: client)
        #expect(
            try await picker.openDocument(at: stage.location("/way/b.txt")).reference
                == stage.reference("listed/b.txt"))
        var names: [String] = []
        for try await item in picker.items(in: stage.location("/way")) { names.append(item.name) }
        #expect(names == ["b.txt"])
        #expect(try await picker.item(at: stage.location("/way")).isFolder)
        let link = try await picker.item(at: stage.location("/way"), followingLink: false)
        #expect(link.symbolicLinkTarget == stage.reference("listed") && !link.isFolder)
    }
}
