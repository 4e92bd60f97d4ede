import DocentTestSupport
import Foundation
import Testing

/// Pickers with their own class, in C: the order of B1 and the URL rule of each mode (C5, X1 to X3).
///
/// The picker answers with the URL spelled by the path: `|` for a slash, STORAGE and CONTAINER for the provider's.
@Suite(.needs(.daemon, .server)) struct PickerModeTests {
    static let provider = "org.example.Picking"

    private static func with(
        fileProvider: Bool = true, modes: [String]? = nil, defines: [String: String] = [:],
        _ body: (PluginWorkshop) async throws -> Void
    ) async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation) {
                $0.identifier = provider
                $0.hasOwnPicker = true
                $0.hasFileProvider = fileProvider
                if let modes { $0.modes = modes } else if !fileProvider { $0.modes = ["Import", "ExportToService"] }
            }
            try await workshop.install(defines: defines)
            try await body(workshop)
        }
    }

    private static func grants(_ installation: Installation) async throws -> Int {
        struct Grant: Decodable { var identifier: String }
        return try await installation.docent("grants", "--json").succeeded().json([Grant].self).count
    }

    private static func source(_ installation: Installation) throws -> String {
        let source = installation.home + "/source.txt"
        try Data("from the client".utf8).write(to: URL(fileURLWithPath: source))
        return source
    }

    /// The text in an error about the broken rule.
    private static let words = [
        "C1": ["in import mode it must be a readable local file"],
        "C2": ["in open mode it must be a document inside the document storage"],
        "C3": ["in export mode it must be an existing copy"], "C4": ["in move mode it must be a copy inside"],
        "C5": ["is neither a file URL nor a docent URL", "the path is not absolute"],
        "X3": ["the root is a folder", "it is the document storage itself"],
    ]

    /// Expects a refusal: with the rule as text and the provider's name, nothing granted, and the picker dismissed
    /// nevertheless.
    private static func expectRefused(_ outcome: Outcome, rule: String, _ workshop: PluginWorkshop) async throws {
        #expect(outcome.status == 1, "\(outcome.errors) \(outcome.text)")
        #expect(outcome.errors.contains("The picker of \(provider) returned a wrong URL: in "), "\(outcome.errors)")
        #expect(words[rule, default: []].contains(where: outcome.errors.contains), "\(rule): \(outcome.errors)")
        #expect(try await grants(workshop.installation) == 0)
        #expect(workshop.pickerLog.last == "Dismiss")
    }

    @Test("B1, C2: open prepares, chooses, grants and dismisses, in this order; the document is the one of the URL")
    func open() async throws {
        try await Self.with { workshop in
            let installation = workshop.installation
            let opened = try await installation.docent("cat", workshop.location("file:||STORAGE|a.txt")).succeeded()
            #expect(opened.text == "from C\n")
            #expect(workshop.pickerLog == ["Prepare open", "storage given", "Choose /file:||STORAGE|a.txt", "Dismiss"])
            #expect(try await Self.grants(installation) == 1)
        }
    }

    @Test("C1: import accepts every URL that open accepts, and grants nothing (C10)")
    func importFromStorage() async throws {
        try await Self.with { workshop in
            let copy = workshop.installation.home + "/copy.txt"
            try await workshop.installation.docent(
                "import", workshop.location("file:||STORAGE|a.txt"), "-o", copy
            ).succeeded()
            #expect(workshop.installation.read(copy) == "from C\n")
            #expect(try await Self.grants(workshop.installation) == 0)
            #expect(workshop.pickerLog.first == "Prepare import")
        }
    }

    @Test("C1, X2: import without a file provider reads the content from the picker's own descriptor")
    func importWithoutFileProvider() async throws {
        try await Self.with(fileProvider: false) { workshop in
            let installation = workshop.installation
            // The first presentation creates the container.
            _ = try await installation.docent("import", workshop.location("cancel"))
            try Data("beside the storage".utf8).write(to: URL(fileURLWithPath: workshop.container + "/loose.txt"))
            let copy = installation.home + "/copy.txt"
            try await installation.docent("import", workshop.location("file:||CONTAINER|loose.txt"), "-o", copy)
                .succeeded()
            #expect(installation.read(copy) == "beside the storage")
            #expect(installation.read(workshop.container + "/loose.txt") == "beside the storage")
            #expect(workshop.pickerLog.contains("no storage"))
            #expect(!workshop.pickerLog.contains("storage given"))
            #expect(try await Self.grants(installation) == 0)
        }
    }

    @Test(
        "C5, X3: in open mode a URL that is not a document inside the storage is refused with the rule that it breaks",
        arguments: [
            ("file:||CONTAINER|picker.log", "C2"), ("file:|||etc|passwd", "C2"), ("file:||STORAGE", "X3"),
            ("file:||STORAGE|", "X3"), ("file:||STORAGE|x|..", "X3"), ("file:||STORAGE|..|..|picker.log", "C2"),
            ("file:||STORAGE|..|_default.txt", "C2"), ("file:||STORAGE|%2e%2e|%2e%2e|picker.log", "C2"),
            ("http:||example.org|a.txt", "C5"), ("file:||elsewhere|STORAGE|a.txt", "C5"), ("a.txt", "C5"),
            ("docent:||org.example.Other|a.txt", "C2"), ("docent:||org.example.Picking|.root", "X3"),
            ("file:||STORAGE|out|passwd", "C2"), ("file:||STORAGE|up|picker.log", "C2"),
        ])
    func refusedOpen(_ url: String, _ rule: String) async throws {
        try await Self.with { workshop in
            _ = try await workshop.installation.docent("open", workshop.location("cancel"))
            try FileManager.default.createSymbolicLink(atPath: workshop.storage + "/out", withDestinationPath: "/etc")
            try FileManager.default.createSymbolicLink(
                atPath: workshop.storage + "/up", withDestinationPath: workshop.container)
            let outcome = try await workshop.installation.docent("open", workshop.location(url))
            try await Self.expectRefused(outcome, rule: rule, workshop)
        }
    }

    @Test("C1, C5: an import URL that the picker itself cannot read is refused", arguments: [true, false])
    func refusedImport(_ fileProvider: Bool) async throws {
        try await Self.with(fileProvider: fileProvider) { workshop in
            let outcome = try await workshop.installation.docent(
                "import", workshop.location("file:|||etc|shadow"), "-o", workshop.installation.home + "/copy")
            try await Self.expectRefused(outcome, rule: "C1", workshop)
            #expect(workshop.installation.read(workshop.installation.home + "/copy") == nil)
        }
    }

    @Test("C3: export is done by the picker; its URL signals success and grants nothing", arguments: [true, false])
    func export(_ fileProvider: Bool) async throws {
        try await Self.with(fileProvider: fileProvider) { workshop in
            let installation = workshop.installation
            let source = try Self.source(installation)
            try await installation.docent("export", source, workshop.location("file:||CONTAINER|copied.txt/"))
                .succeeded()
            #expect(installation.read(workshop.container + "/copied.txt") == "from the client")
            #expect(installation.read(source) == "from the client")
            #expect(try await Self.grants(installation) == 0)
            #expect(workshop.pickerLog.first == "Prepare export")
        }
    }

    @Test("X1: an export URL without a file is refused", arguments: [true, false])
    func refusedExport(_ fileProvider: Bool) async throws {
        try await Self.with(fileProvider: fileProvider) { workshop in
            let source = try Self.source(workshop.installation)
            let outcome = try await workshop.installation.docent(
                "export", source, workshop.location("nocopy!file:||CONTAINER|nothing.txt/"))
            try await Self.expectRefused(outcome, rule: "C3", workshop)
            #expect(workshop.installation.read(source) == "from the client")
        }
    }

    @Test("X1: an export URL inside the storage of a document that does not exist is refused")
    func exportOfNothing() async throws {
        try await Self.with { workshop in
            let source = try Self.source(workshop.installation)
            let outcome = try await workshop.installation.docent(
                "export", source, workshop.location("nocopy!file:||STORAGE|nothing.txt/"))
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("nothing.txt"), "\(outcome.errors)")
            #expect(workshop.pickerLog.last == "Dismiss")
        }
    }

    @Test("C4, X14: move grants the copy in the storage and then removes the source")
    func move() async throws {
        try await Self.with { workshop in
            let installation = workshop.installation
            let source = try Self.source(installation)
            try await installation.docent("move", source, workshop.location("file:||STORAGE|moved.txt/")).succeeded()
            #expect(installation.read(workshop.storage + "/moved.txt") == "from the client")
            #expect(!FileManager.default.fileExists(atPath: source))
            #expect(try await Self.grants(installation) == 1)
            #expect(workshop.pickerLog.first == "Prepare move")
        }
    }

    @Test("C7, C8, H3: a classic provider is notified of its picker's write, unless the picker shares its purpose")
    func purpose() async throws {
        try await Self.with(defines: ["FEATURES": #""\"inPlace\",\"classic\"""#]) { workshop in
            let installation = workshop.installation
            let source = try Self.source(installation)
            let changes = workshop.container + "/changes.log"
            try await installation.docent(
                "export", source, workshop.location("own!file:||STORAGE|silent.txt/")
            ).succeeded()
            try await installation.docent("export", source, workshop.location("file:||STORAGE|told.txt/")).succeeded()
            // The second notification comes after the first would have.
            try await installation.eventually("the provider is notified") { installation.read(changes) != nil }
            #expect(installation.read(changes) == "told.txt\n")
        }
    }

    @Test(
        "C4, C5, X14: a move whose URL breaks the rule is refused, and the source is never deleted",
        arguments: [
            ("file:||CONTAINER|copied.txt", "C4"), ("nocopy!file:||STORAGE", "X3"),
            ("file:||STORAGE|..|copied.txt", "C4"),
            ("http:||example.org|copied.txt", "C5"),
        ])
    func refusedMove(_ url: String, _ rule: String) async throws {
        try await Self.with { workshop in
            let source = try Self.source(workshop.installation)
            let outcome = try await workshop.installation.docent("move", source, workshop.location(url + "/"))
            try await Self.expectRefused(outcome, rule: rule, workshop)
            #expect(workshop.installation.read(source) == "from the client")
        }
    }

    @Test("B14: a cancelled picker grants nothing and ends with 7", arguments: ["cancel", "no-url"])
    func cancelled(_ path: String) async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("open", workshop.location(path))
            #expect(outcome.status == 7, "\(outcome)")
            #expect(workshop.pickerLog.last == "Dismiss")
            #expect(try await Self.grants(workshop.installation) == 0)
        }
    }

    @Test("law 3: a crashed picker grants nothing, is named, and can be shown again")
    func crashes() async throws {
        try await Self.with { workshop in
            let outcome = try await workshop.installation.docent("open", workshop.location("crash"))
            #expect(outcome.status == 5, "\(outcome)")
            #expect(outcome.errors.contains("\(Self.provider) was killed by signal 6"), "\(outcome.errors)")
            #expect(try await Self.grants(workshop.installation) == 0)
            try await workshop.installation.docent("open", workshop.location("file:||STORAGE|a.txt")).succeeded()
        }
    }

    @Test("A5: a drop box accepts documents and shows nothing: ls, info, cat, open and import are refused")
    func dropBox() async throws {
        try await Self.with(fileProvider: false, modes: ["ExportToService"]) { workshop in
            let installation = workshop.installation
            let source = try Self.source(installation)
            try await installation.docent("export", source, workshop.location("file:||CONTAINER|dropped.txt/"))
                .succeeded()
            #expect(installation.read(workshop.container + "/dropped.txt") == "from the client")
            for arguments in [["ls"], ["info"], ["cat"], ["open"], ["import", "-o", installation.home + "/copy"]] {
                let outcome = try await installation.run(
                    Installation.binaries + "/docent", arguments + [workshop.location("dropped.txt")])
                #expect(outcome.status == 3 || outcome.status == 1, "\(arguments): \(outcome)")
                #expect(outcome.errors.contains(Self.provider), "\(arguments): \(outcome.errors)")
            }
            let listing = try await installation.docent("ls", workshop.location(""))
            #expect(listing.status == 3)
            #expect(listing.errors.contains("is a drop box"), "\(listing.errors)")
            #expect(!workshop.pickerLog.contains("Contents"))
        }
    }

    @Test("A5: a picker without a file provider that lists open or move does not offer them")
    func noOpenWithoutFileProvider() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation) {
                $0.identifier = Self.provider
                $0.hasOwnPicker = true
                $0.hasFileProvider = false
            }
            try await workshop.compile()
            try workshop.writeManifests()
            _ = try await installation.docent("provider", "enable", Self.provider, "--yes")
            for mode in ["open", "move"] {
                let offered = try await installation.docent("providers", "--mode", mode).succeeded().text
                #expect(!offered.contains(Self.provider))
            }
            #expect(try await installation.docent("open", workshop.location("file:||CONTAINER|a.txt")).status != 0)
        }
    }

    @Test("A1: a picker without a file provider can be browsed by the items that it lists")
    func browse() async throws {
        try await Self.with(fileProvider: false) { workshop in
            let listing = try await workshop.installation.docent("ls", workshop.location(""))
            #expect(listing.text.contains("shown.txt"), "\(listing)")
            #expect(workshop.pickerLog.contains("Contents"))
            #expect(try await workshop.installation.docent("info", workshop.location("shown.txt")).status == 0)
            #expect(try await workshop.installation.docent("info", workshop.location("hidden.txt")).status == 2)
        }
    }
}
