import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Glibc

/// Steps that lead to where some faults wait.
extension FaultyTour {
    /// Runs those that a fault needs.
    func special(for fault: ProviderFault) async -> [Answer] {
        let kind = fault.name.prefix { $0 != "." }
        var answers: [Answer] = []
        if kind == "package" || fault.name == "declared.packages" { answers += await packages() }
        if kind == "signIn" || fault.name == "declared.signIn" { answers += await signing() }
        if kind == "metadata" {
            answers.append(await step("save attributes", settling: true) { try await saveAttributes() })
        }
        if ["item", "child", "children", "errors"].contains(kind) { answers += await strangers() }
        if ["changes", "events"].contains(kind) { answers += await news() }
        if ["modify", "writers"].contains(kind) { answers += await changing() }
        if kind == "move" { answers += await moving() }
        if kind == "delete" { answers += await deleting(fault) }
        if kind == "trash" { answers += await trash() }
        if kind == "versions" { answers += await versions() }
        if kind == "create" { answers += await creating() }
        if kind == "fetch" { answers += await fetching(fault) }
        answers += await service(for: fault)
        if kind == "names" {
            answers.append(
                await step("make a document with a name") {
                    try await make(
                        "/", "CAFE\u{301} " + String(repeating: "long ", count: 20) + ".TXT ", Self.made)
                })
        }
        if fault.name == "observe.unknownCrashes" {
            answers.append(
                await step("show what is deleted just now") {
                    try storage.others("delete Letter 9.txt", before: "observe")
                    try await present("/Many/Letter 9.txt")
                })
        }
        if fault.name.hasSuffix("Restart") || fault.name.hasSuffix("volatile") {
            answers += await restart()
        }
        return answers
    }

    // MARK: Packages

    private func packages() async -> [Answer] {
        let content = ["1.txt": "one", "2.txt": "two", "3.txt": "three"]
        return [
            await step("make a package", settling: true) {
                let picker = DocumentPicker(client: client, validTypes: ["public.folder"])
                let folder = try await picker.openDocument(at: providers.location(provider, "/Reports"))
                let session = try await PackageWriteSession.create(
                    "new.rtfd", in: folder.reference, client: client)
                for (path, text) in content { try await session.write(Data(text.utf8), at: path) }
                _ = try await session.commit()
            },
            await step("change the package", settling: true) {
                let location = providers.location(provider, "/Reports/new.rtfd")
                let package = try await TestPackage.open(location, client: client)
                try await package.save(["1.txt": "uno", "3.txt": nil])
            },
            await step("change the package, of which others changed another part", settling: true) {
                let location = providers.location(provider, "/Reports/new.rtfd")
                let package = try await TestPackage.open(location, client: client)
                let session = try await package.begin()
                try await TestPackage.stage(["1.txt": "un"], session)
                try storage.others("change 2.txt", before: "package")
                _ = try await session.commit()
            },
        ]
    }

    private func saveAttributes() async throws {
        let document = try await picker.openDocument(
            at: providers.location(provider, "/Reports/Old/Notes.txt"))
        let session = try await document.beginWriting(replacing: true)
        _ = Self.changed.withUnsafeBytes { pwrite(session.descriptor, $0.baseAddress, $0.count, 0) }
        try await session.setAttributes(
            DocumentAttributes(
                modificationDate: 1_000_000_000,
                extendedAttributes: ["user.docent.test": Data("value".utf8)]))
        try await session.commit()
    }

    // MARK: Signing in

    private func signing() async -> [Answer] {
        [
            await step("sign in wrongly") { try await login("not it") },
            await step("sign in") { try await login(Self.secret) },
            await step("list /, signed in") { _ = try await names(in: "/") },
            await step("sign out") {
                _ = try await client.call(
                    AdministrationInterface.Logout.self,
                    .init(provider: provider, domain: FaultyProviders.domain, timeout: 5))
            },
            await step("sign in again") { try await login(Self.secret) },
        ]
    }

    /// The credential of every domain (Plugins/Faulty/README.md).
    static let secret = "open sesame"

    func login(_ secret: String) async throws {
        _ = try await client.call(
            AdministrationInterface.Login.self,
            .init(
                provider: provider, domain: FaultyProviders.domain, form: "password",
                values: ["username": "tester", "password": secret], attempt: UUID().uuidString, session: true))
    }

    // MARK: Changes by others

    // An item is deleted without the daemon's knowledge, and requested.
    private func strangers() async -> [Answer] {
        [
            await step("read what was deleted elsewhere") {
                _ = try await item("/Many/Letter 9.txt")
                let document = try await picker.openDocument(
                    at: providers.location(provider, "/Many/Letter 9.txt"), access: .read)
                try storage.others("delete Letter 9.txt")
                close(try await document.openForReading())
            },
            await step("look at it") { _ = try await item("/Many/Letter 9.txt") },
            await step("look for another spelling") { _ = try await item("/welcome.TXT") },
            await step("look for what never was") { _ = try await item("/none/none.txt") },
            await step("list what a folder deleted elsewhere had") {
                let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"])
                    .openDocument(
                        at: providers.location(provider, "/Reports/Old"), access: .read)
                try storage.others("delete Old")
                _ = try await client.call(
                    DocumentsInterface.List.self, .init(reference: folder.reference.wire))
            },
            await step("list the letters again") { _ = try await names(in: "/Many") },
        ]
    }

    private func news() async -> [Answer] {
        [
            await step("look for news of others") {
                try storage.others("change Notes.txt", "delete Letter 9.txt", "fill Many")
                try await refresh()
            },
            await step("look for news once more") { try await refresh() },
        ]
    }

    private func changing() async -> [Answer] {
        [
            await step("change what is changed elsewhere meanwhile", settling: true) {
                try storage.others("change Notes.txt", before: "modify")
                try await change("/Reports/Old/Notes.txt", Self.changed)
            },
            await step("change what is deleted elsewhere meanwhile", settling: true) {
                try storage.others("delete Letter 9.txt", before: "modify")
                try await change("/Many/Letter 9.txt", Self.changed)
            },
        ]
    }

    private func creating() async -> [Answer] {
        [
            await step("make what others make meanwhile", settling: true) {
                try storage.others("make taken.txt", before: "create")
                try await make("/", "taken.txt", Self.made)
            },
            await step("make a large one", settling: true) {
                try await make("/", "large.bin", Data(repeating: 7, count: 3 << 20))
            },
        ]
    }

    private func moving() async -> [Answer] {
        func move(_ path: String, to folder: String? = nil, _ name: String?) async throws {
            _ = try await client.call(
                PickerInterface.MoveItem.self,
                .init(
                    location: wire(path), folder: folder.map(wire), name: name, operation: UUID().uuidString))
        }
        return [
            await step("move a folder") { try await move("/Reports/Old", to: "/", "Older") },
            await step("move what is changed elsewhere meanwhile") {
                try storage.others("change Letter 8.txt", before: "move")
                try await move("/Many/Letter 8.txt", "Letter 8b.txt")
            },
            await step("move to where others make something meanwhile") {
                try storage.others("make taken.txt", before: "move")
                try await move("/Many/Letter 6.txt", to: "/", "taken.txt")
            },
            await step("move a folder into itself") {
                try await move("/Reports", to: "/Reports", "Reports")
            },
        ]
    }

    private func deleting(_ fault: ProviderFault) async -> [Answer] {
        func delete(_ path: String, recursive: Bool) async throws {
            _ = try await client.call(
                PickerInterface.DeleteItem.self,
                .init(location: wire(path), recursive: recursive, operation: UUID().uuidString))
        }
        return [
            await step("delete what is changed elsewhere meanwhile") {
                try storage.others("change Letter 8.txt", before: "delete")
                try await delete("/Many/Letter 8.txt", recursive: false)
            },
            await step("delete an empty folder that others fill meanwhile") {
                _ = try await client.call(
                    PickerInterface.MakeFolder.self,
                    .init(folder: wire("/"), name: "Hollow", operation: UUID().uuidString))
                try storage.others("fill Hollow", before: "delete")
                try await delete("/Hollow", recursive: false)
            },
            // Its companions are to be read afterwards.
            await step("delete a folder") {
                try await delete(fault.name == "delete.siblings" ? "/Many" : "/Reports/Old", recursive: true)
            },
        ]
    }

    private func fetching(_ fault: ProviderFault) async -> [Answer] {
        [
            await step("read what was changed elsewhere") {
                _ = try await read("/Reports/Old/Notes.txt")
                try storage.others("change Notes.txt")
                _ = try await read("/Reports/Old/Notes.txt")
            },
            await step("read what was given up") {
                if fault.name == "fetch.resumesAnyVersion" { try storage.others("touch Report.bin") }
                _ = try await read(Self.reportPath)
            },
        ]
    }

    // MARK: The process

    private func restart() async -> [Answer] {
        [
            await step("list /, of another process") {
                for process in try await providers.processes(provider) { kill(process, SIGKILL) }
                _ = try await names(in: "/")
            },
            await step("look for news of another process") { try await refresh() },
        ]
    }

    private func refresh() async throws {
        _ = try await client.call(AdministrationInterface.Refresh.self, .init(location: wire("/")))
    }
}
