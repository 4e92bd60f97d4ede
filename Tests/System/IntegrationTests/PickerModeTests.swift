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

    /// A presentation of the picker: the client's result, and what the picker recorded meanwhile.
    private struct Shown {
        var outcome: Outcome
        var log: [String]
    }

    private static func show(_ workshop: PluginWorkshop, _ arguments: String...) async throws -> Shown {
        let before = workshop.pickerLog.count
        let outcome = try await workshop.installation.run(Installation.binaries + "/docent", arguments)
        return Shown(outcome: outcome, log: Array(workshop.pickerLog.dropFirst(before)))
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
    private static func expectRefused(
        _ shown: Shown, _ name: String, rule: String, _ workshop: PluginWorkshop
    ) async throws {
        let (status, errors) = (shown.outcome.status, shown.outcome.errors)
        #expect(status == 1, "\(name): \(errors) \(shown.outcome.text)")
        #expect(errors.contains("The picker of \(provider) returned a wrong URL: in "), "\(name): \(errors)")
        #expect(words[rule, default: []].contains(where: errors.contains), "\(name), \(rule): \(errors)")
        #expect(try await grants(workshop.installation) == 0, "\(name)")
        #expect(shown.log.last == "Dismiss", "\(name)")
    }

    // MARK: With a file provider

    @Test(
        "B1, B14, C1, C2, C3, C4, C5, C10, X1, X3, X14, law 3: the URL of each mode is granted or refused by its rule")
    func withFileProvider() async throws {
        try await Self.with { workshop in
            // Nothing is granted at first.
            for path in ["cancel", "no-url"] {
                try await TestStep.run(path) { try await Self.expectCancelled(path, workshop) }
            }
            try await TestStep.run("refused open") { try await Self.refusedOpen(workshop) }
            // An export leaves its source with the picker, which then copies it in other modes, too.
            try await TestStep.run("refused import") { try await Self.refusedImport(workshop) }
            try await TestStep.run("import") { try await Self.importFromStorage(workshop) }
            try await TestStep.run("refused export") { try await Self.refusedExport(workshop) }
            try await TestStep.run("export") { try await Self.export(workshop) }
            try await TestStep.run("refused move") { try await Self.refusedMove(workshop) }

            try await TestStep.run("open") { try await Self.open(workshop) }
            try await TestStep.run("move") { try await Self.move(workshop) }
            try await TestStep.run("export of nothing") { try await Self.exportOfNothing(workshop) }
            try await TestStep.run("crash") { try await Self.crash(workshop) }
        }
    }

    /// B14: a cancelled picker grants nothing and ends with 7.
    private static func expectCancelled(_ path: String, _ workshop: PluginWorkshop) async throws {
        let shown = try await show(workshop, "open", workshop.location(path))
        #expect(shown.outcome.status == 7, "\(path): \(shown.outcome)")
        #expect(shown.log.last == "Dismiss", "\(path)")
        #expect(try await grants(workshop.installation) == 0, "\(path)")
    }

    /// C5, X3: in open mode a URL that is not a document inside the storage is refused with the rule that it breaks.
    private static func refusedOpen(_ workshop: PluginWorkshop) async throws {
        let links = ["out": "/etc", "up": workshop.container]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(workshop.storage)/\(name)", withDestinationPath: target)
        }
        for (url, rule) in [
            ("file:||CONTAINER|picker.log", "C2"), ("file:|||etc|passwd", "C2"), ("file:||STORAGE", "X3"),
            ("file:||STORAGE|", "X3"), ("file:||STORAGE|x|..", "X3"), ("file:||STORAGE|..|..|picker.log", "C2"),
            ("file:||STORAGE|..|_default.txt", "C2"), ("file:||STORAGE|%2e%2e|%2e%2e|picker.log", "C2"),
            ("http:||example.org|a.txt", "C5"), ("file:||elsewhere|STORAGE|a.txt", "C5"), ("a.txt", "C5"),
            ("docent:||org.example.Other|a.txt", "C2"), ("docent:||org.example.Picking|.root", "X3"),
            ("file:||STORAGE|out|passwd", "C2"), ("file:||STORAGE|up|picker.log", "C2"),
        ] {
            try await TestStep.run(url) {
                let shown = try await show(workshop, "open", workshop.location(url))
                try await expectRefused(shown, "open \(url)", rule: rule, workshop)
            }
        }
        for name in links.keys { try FileManager.default.removeItem(atPath: "\(workshop.storage)/\(name)") }
    }

    /// C1: import accepts every URL that open accepts, and grants nothing (C10).
    private static func importFromStorage(_ workshop: PluginWorkshop) async throws {
        let copy = workshop.installation.home + "/copy.txt"
        let shown = try await show(workshop, "import", workshop.location("file:||STORAGE|a.txt"), "-o", copy)
        try shown.outcome.succeeded()
        #expect(workshop.installation.read(copy) == "from C\n", "import")
        #expect(try await grants(workshop.installation) == 0, "import")
        #expect(shown.log.first == "Prepare import", "import")
    }

    /// C4, C5, X14: a move whose URL breaks the rule is refused, and the source is never deleted.
    private static func refusedMove(_ workshop: PluginWorkshop) async throws {
        for (url, rule) in [
            ("file:||CONTAINER|copied.txt", "C4"), ("nocopy!file:||STORAGE", "X3"),
            ("file:||STORAGE|..|copied.txt", "C4"), ("http:||example.org|copied.txt", "C5"),
        ] {
            try await TestStep.run(url) {
                let source = try Self.source(workshop.installation)
                let shown = try await show(workshop, "move", source, workshop.location(url + "/"))
                try await expectRefused(shown, "move \(url)", rule: rule, workshop)
                #expect(workshop.installation.read(source) == "from the client", "move \(url)")
            }
        }
    }

    /// B1, C2: open prepares, chooses, grants and dismisses, in this order; the document is the one of the URL.
    private static func open(_ workshop: PluginWorkshop) async throws {
        let shown = try await show(workshop, "cat", workshop.location("file:||STORAGE|a.txt"))
        #expect(try shown.outcome.succeeded().text == "from C\n", "open")
        #expect(
            shown.log == ["Prepare open", "storage given", "Choose /file:||STORAGE|a.txt", "Dismiss"], "open")
        #expect(try await grants(workshop.installation) == 1, "open")
    }

    /// C4, X14: move grants the copy in the storage and then removes the source.
    private static func move(_ workshop: PluginWorkshop) async throws {
        let installation = workshop.installation
        let before = try await grants(installation)
        let source = try Self.source(installation)
        let shown = try await show(workshop, "move", source, workshop.location("file:||STORAGE|moved.txt/"))
        try shown.outcome.succeeded()
        #expect(installation.read(workshop.storage + "/moved.txt") == "from the client", "move")
        #expect(!FileManager.default.fileExists(atPath: source), "move")
        #expect(try await grants(installation) == before + 1, "move")
        #expect(shown.log.first == "Prepare move", "move")
    }

    /// X1: an export URL inside the storage of a document that does not exist is refused.
    private static func exportOfNothing(_ workshop: PluginWorkshop) async throws {
        let source = try Self.source(workshop.installation)
        let shown = try await show(
            workshop, "export", source, workshop.location("nocopy!file:||STORAGE|nothing.txt/"))
        #expect(shown.outcome.status != 0, "export of nothing")
        #expect(shown.outcome.errors.contains("nothing.txt"), "export of nothing: \(shown.outcome.errors)")
        #expect(shown.log.last == "Dismiss", "export of nothing")
    }

    /// law 3: a crashed picker grants nothing, is named, and can be shown again.
    private static func crash(_ workshop: PluginWorkshop) async throws {
        let before = try await grants(workshop.installation)
        let outcome = try await workshop.installation.docent("open", workshop.location("crash"))
        #expect(outcome.status == 5, "crash: \(outcome)")
        #expect(outcome.errors.contains("\(provider) was killed by signal 6"), "crash: \(outcome.errors)")
        #expect(try await grants(workshop.installation) == before, "crash")
        try await workshop.installation.docent("open", workshop.location("file:||STORAGE|a.txt")).succeeded()
    }

    // MARK: Without a file provider

    @Test("A1, C1, C3, C5, X1, X2: a picker without a file provider imports, exports and is browsed by the same rules")
    func withoutFileProvider() async throws {
        try await Self.with(fileProvider: false) { workshop in
            try await TestStep.run("import") { try await Self.importWithoutFileProvider(workshop) }
            try await TestStep.run("refused import") { try await Self.refusedImport(workshop) }
            try await TestStep.run("browse") { try await Self.browse(workshop) }
            try await TestStep.run("refused export") { try await Self.refusedExport(workshop) }
            try await TestStep.run("export") { try await Self.export(workshop) }
        }
    }

    /// C1, X2: import without a file provider reads the content from the picker's own descriptor.
    private static func importWithoutFileProvider(_ workshop: PluginWorkshop) async throws {
        let installation = workshop.installation
        // The first presentation creates the container.
        _ = try await installation.docent("import", workshop.location("cancel"))
        try Data("beside the storage".utf8).write(to: URL(fileURLWithPath: workshop.container + "/loose.txt"))
        let copy = installation.home + "/copy.txt"
        try await installation.docent("import", workshop.location("file:||CONTAINER|loose.txt"), "-o", copy).succeeded()
        #expect(installation.read(copy) == "beside the storage", "import")
        #expect(installation.read(workshop.container + "/loose.txt") == "beside the storage", "import")
        #expect(workshop.pickerLog.contains("no storage"), "import")
        #expect(!workshop.pickerLog.contains("storage given"), "import")
        #expect(try await grants(installation) == 0, "import")
    }

    /// A1: a picker without a file provider can be browsed by the items that it lists.
    private static func browse(_ workshop: PluginWorkshop) async throws {
        let shown = try await show(workshop, "ls", workshop.location(""))
        #expect(shown.outcome.text.contains("shown.txt"), "browse: \(shown.outcome)")
        #expect(shown.log.contains("Contents"), "browse")
        for (name, status) in [("shown.txt", Int32(0)), ("hidden.txt", 2)] {
            let outcome = try await workshop.installation.docent("info", workshop.location(name))
            #expect(outcome.status == status, "browse \(name): \(outcome)")
        }
    }

    // MARK: With and without

    /// C1, C5: an import URL that the picker itself cannot read is refused.
    private static func refusedImport(_ workshop: PluginWorkshop) async throws {
        let copy = workshop.installation.home + "/copy"
        let shown = try await show(workshop, "import", workshop.location("file:|||etc|shadow"), "-o", copy)
        try await expectRefused(shown, "import", rule: "C1", workshop)
        #expect(workshop.installation.read(copy) == nil, "refused import")
    }

    /// C3: export is done by the picker; its URL signals success and grants nothing.
    private static func export(_ workshop: PluginWorkshop) async throws {
        let installation = workshop.installation
        let source = try Self.source(installation)
        let shown = try await show(workshop, "export", source, workshop.location("file:||CONTAINER|exported.txt/"))
        try shown.outcome.succeeded()
        #expect(installation.read(workshop.container + "/exported.txt") == "from the client", "export")
        #expect(installation.read(source) == "from the client", "export")
        #expect(try await grants(installation) == 0, "export")
        #expect(shown.log.first == "Prepare export", "export")
    }

    /// X1: an export URL without a file is refused.
    private static func refusedExport(_ workshop: PluginWorkshop) async throws {
        let source = try Self.source(workshop.installation)
        let shown = try await show(
            workshop, "export", source, workshop.location("nocopy!file:||CONTAINER|nothing.txt/"))
        try await expectRefused(shown, "export", rule: "C3", workshop)
        #expect(workshop.installation.read(source) == "from the client", "refused export")
    }

    // MARK: Other shapes

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
}
