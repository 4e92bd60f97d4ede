import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Drop boxes: documents can be put in, and never seen again (A5).
@Suite(.needs(.daemon, .server)) struct DropBoxTests {
    private static let provider = "org.example.Dropping"

    private static func source(_ installation: Installation) throws -> String {
        let source = installation.home + "/source.txt"
        try Data("from the client".utf8).write(to: URL(fileURLWithPath: source))
        return source
    }

    @Test(
        "A5: a drop box with a file provider refuses every path to its contents, even with earlier rights"
    )
    func withFileProvider() async throws {
        try await Installation.with(localFolder: false) { installation in
            var workshop = PluginWorkshop(installation) { $0.identifier = Self.provider }
            try await workshop.install()
            let notes = installation.root + "/notes.json"
            let location = "{\"provider\": \"\(Self.provider)\", \"domain\": \"\", \"path\": \"/a.txt\"}"
            // While it was not a drop box yet: a persistent right, and a bookmark.
            try await ProtocolPython.run(
                installation,
                """
                raw = Raw("org.example.Editor")
                reference = raw.call(PICKER + "PickOpen", location=json.loads(sys.argv[3]), access="readWrite",
                                     persist=True, operation=operation())["item"]["reference"]
                bookmark = raw.call(DOCUMENTS + "CreateBookmark", reference=reference)["bookmark"]
                assert raw.call(DOCUMENTS + "Open", reference=reference)["file"] == 0
                json.dump({"reference": reference, "bookmark": bookmark}, open(sys.argv[2], "w"))
                """, notes, location)
            workshop.shape.modes = ["ExportToService"]
            try workshop.writeManifests()
            try await workshop.enable()
            try await ProtocolPython.run(
                installation,
                """
                notes = json.load(open(sys.argv[2]))
                reference, place = notes["reference"], json.loads(sys.argv[3])
                more = {"more": True}
                whole = {"reference": reference}
                for client in ["org.example.Editor", "org.docent.cli"]:
                    for method, flags, parameters in [
                        (DOCUMENTS + "Info", None, whole),
                        (DOCUMENTS + "Open", None, whole),
                        (DOCUMENTS + "Open", None, {"reference": reference, "lease": True}),
                        (DOCUMENTS + "List", None, whole),
                        (DOCUMENTS + "List", None, {"reference": {**reference, "identifier": ".root"}}),
                        (DOCUMENTS + "Download", more, {**whole, "operation": operation()}),
                        (DOCUMENTS + "Import", None, {**whole, "operation": operation()}),
                        (DOCUMENTS + "CreateBookmark", None, whole),
                        (DOCUMENTS + "BeginWrite", None, {**whole, "replacing": True, "operation": operation()}),
                        (DOCUMENTS + "BeginWrite", None, {**whole, "replacing": False, "operation": operation()}),
                        (DOCUMENTS + "Move", None, {**whole, "name": "b.txt", "operation": operation()}),
                        (DOCUMENTS + "Delete", None, {**whole, "operation": operation()}),
                        (DOCUMENTS + "Present", more, {"place": whole, "presenter": "p"}),
                        (DOCUMENTS + "Coordinate", more,
                         {"accesses": [{"place": whole, "writing": False}], "operation": operation()}),
                        (DOCUMENTS + "Coordinate", more,
                         {"accesses": [{"place": whole, "writing": True}], "operation": operation()}),
                        (DOCUMENTS + "Coordinate", more,
                         {"accesses": [{"place": whole, "writing": False}], "operation": operation(), "open": True}),
                        (PICKER + "GetItem", None, {"location": place}),
                        (PICKER + "ListFolder", None, {"location": {**place, "path": "/"}}),
                        (PICKER + "DeleteItem", None, {"location": place, "operation": operation()}),
                        (PICKER + "MoveItem", None, {"location": place, "name": "b.txt", "operation": operation()}),
                    ]:
                        raw = Raw(client)
                        answer = raw.reply(method, flags=flags, **parameters)
                        assert error(answer) == "org.docent.Documents.NotPermitted", (client, method, answer)
                        assert "drop box" in answer["parameters"]["message"] or client != "org.example.Editor", (method, answer)
                        assert not raw.descriptors, method
                        raw.kill()
                raw = Raw("org.example.Editor")
                answer = raw.reply(DOCUMENTS + "ResolveBookmark", bookmark=notes["bookmark"])
                assert error(answer) is not None, answer
                for mode in ["PickOpen", "PickImport"]:
                    answer = raw.reply(PICKER + mode, location=place, operation=operation(), access="read")
                    assert error(answer) is not None, (mode, answer)
                answer = raw.reply(DOCUMENTS + "StartAccessing", reference=reference)
                assert error(answer) is not None or answer["parameters"]["started"] is False, answer
                answer = raw.reply(ADMINISTRATION + "AddGrant", clientKind="run", client="org.example.Boxed",
                                   location=place, access="read")
                assert error(answer) is not None, answer
                """, notes, location)
            for arguments in [["ls"], ["info"], ["cat"], ["open"], ["rm", "--yes"]] {
                let outcome = try await installation.run(
                    Installation.binaries + "/docent", arguments + [workshop.location("a.txt")])
                #expect(outcome.status != 0, "\(arguments): \(outcome)")
            }
        }
    }

    @Test("A5: an export to a drop box reports only name and size, and cannot be read back")
    func export() async throws {
        try await Installation.with(localFolder: false) { installation in
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            for hasFileProvider in [false, true] {
                let provider = Self.provider + (hasFileProvider ? "Storage" : "Container")
                let workshop = PluginWorkshop(installation) {
                    $0.identifier = provider
                    $0.hasOwnPicker = true
                    $0.hasFileProvider = hasFileProvider
                    $0.modes = ["ExportToService"]
                }
                try await workshop.install()
                let descriptor = Glibc.open(try Self.source(installation), O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                let place = hasFileProvider ? "STORAGE" : "CONTAINER"
                let item = try await DocumentPicker(client: client).exportDocument(
                    from: descriptor,
                    to: DocumentLocation(provider: provider, path: "/file:||\(place)|a.txt"), name: "a.txt")
                #expect(item.name == "a.txt", "\(place)")
                #expect(item.reference.identifier.isEmpty, "\(place)")
                #expect(item.path == nil, "\(place)")
                #expect(item.modificationDate == nil, "\(place)")
                let grants = try await IsolationTests.grants(installation)
                #expect(grants.isEmpty, "\(place)")
                #expect(
                    await IsolationTests.failure {
                        _ = try await client.call(
                            DocumentsInterface.Info.self,
                            .init(reference: .init(provider: provider, domain: "", identifier: "a.txt")))
                    } == .notPermitted, "\(place)")
            }
        }
    }
}
