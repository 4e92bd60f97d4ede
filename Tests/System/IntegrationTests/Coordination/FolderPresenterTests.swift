import DocentTestSupport
import Documents
import Foundation
import Testing

/// Picking and presenting folders (complaints 9, 27; 2.4).
@Suite(.needs(.daemon)) struct FolderPresenterTests {
    private struct Opened: Decodable {
        var access: String
        var bookmark: String
    }

    private static let folder = "LocalFolder:/folder"

    private static func with(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try FileManager.default.createDirectory(
                atPath: installation.documents + "/folder/inner", withIntermediateDirectories: true)
            try installation.write("inside", to: "folder/a.txt")
            try installation.write("deep", to: "folder/inner/b.txt")
            try await body(installation)
        }
    }

    @Test(
        "2.3, 2.4, 2.9, F3, complaint 27: folders are picked, and their presenters notified; links in them are read as their targets; docent claims is watched"
    )
    func folders() async throws {
        try await Self.with { installation in
            try await TestStep.run("picked") { try await Self.picked(installation) }
            try await TestStep.run("links") { try await Self.links(installation) }
            try await TestStep.run("watched") { try await Self.watched(installation) }
            // Changes and moves the folder.
            try await TestStep.run("subitems") { try await Self.subitems(installation) }
        }
    }

    /// A folder, also the root, is granted only to clients that ask for folders (complaint 27).
    private static func picked(_ installation: Installation) async throws {
        let refused = try await installation.docent("open", Self.folder)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("--folder"), "\(refused.errors)")
        for location in [Self.folder, "LocalFolder:/"] {
            let opened = try await installation.docent("open", "--folder", "--json", location).succeeded()
                .json(Opened.self)
            #expect(opened.access == "readWrite" && !opened.bookmark.isEmpty, "\(location)")
        }
        let client = installation.client("org.example.Folders")
        defer { client.close() }
        let location = DocumentLocation(provider: "LocalFolder", path: "/folder")
        let others: [[String]?] = [nil, [], ["public.text"], ["public.content"]]
        for types in others {
            let picker = DocumentPicker(client: client, validTypes: types)
            await #expect(throws: DocumentsError.self, "\(String(describing: types))") {
                try await picker.openDocument(at: location)
            }
        }
        for types in [["public.folder"], ["public.text", "public.directory"], ["public.item"]] {
            let picker = DocumentPicker(client: client, validTypes: types)
            let opened = try await picker.openDocument(at: location)
            #expect(try await opened.item().isFolder, "\(types)")
        }
        // A request for folders does not accept a document.
        let document = DocumentLocation(provider: "LocalFolder", path: "/folder/a.txt")
        await #expect(throws: DocumentsError.self) {
            try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(at: document)
        }
    }

    /// A presenter of a folder is notified of changes to items at any depth, by any program (2.4).
    private static func subitems(_ installation: Installation) async throws {
        let presenter = try await Probe(installation)
        let id = try presenter.send("present", Self.folder, "quick")
        try await presenter.wait(id, for: "presenting")
        let actor = try await Probe(installation)
        try await actor.run("append", Self.folder + "/a.txt", " more", until: "ok")
        try await presenter.wait(id, for: "subitemDidChange")
        // A claim on a file in a plain directory does not ask the directory's presenter.
        #expect(!presenter.kinds(id).contains("toWriter"))
        try installation.write("new", to: "folder/c.txt")
        try await presenter.wait(id, for: "subitemDidAppear")
        let before = presenter.kinds(id).count { $0 == "subitemDidChange" }
        try await actor.run("append", Self.folder + "/inner/b.txt", " more", until: "ok")
        try await installation.eventually("deeper items count too") {
            presenter.kinds(id).count { $0 == "subitemDidChange" } > before
        }
        // The folder itself is asked when it is moved.
        try await actor.run("rename", Self.folder, "moved", until: "ok")
        try await presenter.wait(id, for: "didMove")
        #expect(presenter.kinds(id).contains("toWriter"))
    }

    /// A symbolic link in LocalFolder is read and presented as its target; a link out of the folder is refused (2.3,
    /// F3).
    private static func links(_ installation: Installation) async throws {
        for (name, target) in [("link.txt", "folder/a.txt"), ("out.txt", "../outside.txt")] {
            try FileManager.default.createSymbolicLink(
                atPath: installation.documents + "/" + name, withDestinationPath: target)
        }
        try Data("outside".utf8).write(to: URL(fileURLWithPath: installation.documents + "/../outside.txt"))
        let probe = try await Probe(installation)
        for options in [[], ["resolvesSymbolicLink"]] {
            let read = try probe.send("read", "LocalFolder:/link.txt", options.first ?? "")
            #expect(try await probe.wait(read, for: "read")[1] == "inside", "\(options)")
            let outside = try probe.send("read", "LocalFolder:/out.txt", options.first ?? "")
            #expect(try await probe.wait(outside, for: "error")[1] == "NotFound", "\(options)")
        }
        // The option has no effect on an item that is not a link.
        let id = try probe.send("read", Self.folder + "/a.txt", "resolvesSymbolicLink")
        #expect(try await probe.wait(id, for: "read")[1] == "inside")
    }

    /// `docent claims` lists claims; with --watch --json it prints one object per line, again after each change (2.9).
    private static func watched(_ installation: Installation) async throws {
        let probe = try await Probe(installation, client: "org.example.Watched")
        let holding = try probe.send("hold-write", Self.folder + "/a.txt")
        try await probe.wait(holding, for: "granted")
        let output = installation.root + "/claims"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let watching = try ChildProcess(
            Installation.binaries + "/docent", ["claims", "--watch", "--json"],
            environment: installation.environment, output: .file(output))
        defer { watching.send(SIGKILL) }
        try await installation.eventually("the claim is printed") {
            installation.read(output)?.contains("org.example.Watched") ?? false
        }
        try probe.send("release", holding)
        try await probe.wait(holding, for: "released")
        try await installation.eventually("its end is printed") {
            let lines = (installation.read(output) ?? "").split(separator: "\n")
            return lines.count >= 2 && !(lines.last?.contains("org.example.Watched") ?? true)
        }
        for line in (installation.read(output) ?? "").split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["claims"] is [Any] && object?["presenters"] is [Any], "\(line)")
        }
    }
}
