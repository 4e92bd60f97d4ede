import DocentInterfaces
package import FileProviderValidation
import Glibc
import ProcessLaunching
import Varlink

/// Properties of a provider that only the whole system shows: rights, local copies, and work that survives a kill.
package enum DaemonCases {
    /// All of these cases.
    package static let all: [ValidationCase] = [
        ValidationCase(
            "daemon.grants", level: 2, needs: [.write], requirements: [.everyTransport, .rights],
            "Only clients with a right to a document reach it, and only as long as they have the right."
        ) { try await grants($0) },
        ValidationCase(
            "daemon.bookmark", level: 3, needs: [.write, .move], requirements: [.everyTransport, .identity],
            "A bookmark finds a document again under its new name."
        ) { try await bookmark($0) },
        ValidationCase(
            "daemon.evict", level: 3, needs: [.write], requirements: [.everyTransport, .localCopies],
            "A local copy that was removed is fetched again with the same content."
        ) { try await evict($0) },
        ValidationCase(
            "daemon.extension", level: 4, needs: [.write], requirements: [.everyTransport, .deadlines],
            "When the provider's process is killed, the next call starts a new one, and nothing is lost."
        ) { try await killExtension($0) },
        ValidationCase(
            "daemon.unsent", level: 5, needs: [.write], abilities: [.kill],
            requirements: [.everyTransport, .durability],
            "A confirmed save reaches the provider even if the daemon is killed at once."
        ) { try await unsent($0) },
    ]

    private static func grants(_ context: CaseContext) async throws {
        let (provider, enabled) = try daemon(context)
        let file = try await context.makeFile(count: 1_000)
        let stranger = try await DaemonClient(
            socket: provider.daemon.socket, identifier: "org.docent.validator.stranger")
        defer { stranger.close() }
        let reference = enabled.reference(file.identifier)
        func open(_ expectation: Bool, _ did: String) async throws {
            context.step(did)
            do {
                _ = try await stranger.call(DocumentsInterface.Open.self, .init(reference: reference))
                context.expect(
                    expectation, did: did, expected: "the error NotPermitted or NotFound", got: "a descriptor")
            } catch let failure as Failure {
                let isRefusal = [FailureCode.notPermitted, .notFound].contains(failure.code)
                context.expect(
                    !expectation && isRefusal, did: did,
                    expected: expectation ? "a descriptor" : "the error NotPermitted or NotFound",
                    got: "the error \(failure.code): " + PlainText.escaped(failure.message))
            }
        }
        try await open(false, "Opening a document as a client that was granted nothing")
        let path = try await BridgedWriting(provider: enabled).path(of: file.identifier)
        _ = try await enabled.client.call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: "unconfined", client: "org.docent.validator.stranger", location: enabled.location(path),
                access: "read"))
        try await open(true, "Opening it after that client was granted access")
        _ = try await enabled.client.call(
            AdministrationInterface.Revoke.self, .init(client: "org.docent.validator.stranger"))
        try await open(false, "Opening it after that right was revoked")
    }

    private static func bookmark(_ context: CaseContext) async throws {
        let (_, enabled) = try daemon(context)
        let file = try await context.makeFile(count: 1_000)
        context.step("Creating a bookmark")
        let bookmark = try await enabled.client.call(
            DocumentsInterface.CreateBookmark.self, .init(reference: enabled.reference(file.identifier))
        ).value.bookmark
        let name = context.freshName("renamed") + ".bin"
        let moved = try await context.move(file.identifier, to: file.item.parent, named: name)
        context.step("Resolving the bookmark")
        let found = try await enabled.client.call(
            DocumentsInterface.ResolveBookmark.self, .init(bookmark: bookmark)
        ).value.item
        context.expect(
            found.name.utf8.elementsEqual(name.utf8) && found.reference.identifier == context.real(moved.identifier),
            did: "Resolving a bookmark of a document that was renamed to \(PlainText.quoted(name))",
            expected: PlainText.item(moved),
            got: PlainText.quoted(found.name) + ", identifier " + PlainText.quoted(found.reference.identifier))
    }

    private static func evict(_ context: CaseContext) async throws {
        let (_, enabled) = try daemon(context)
        let file = try await context.makeFile(count: 300_000)
        try await enabled.drain()
        let path = try await BridgedWriting(provider: enabled).path(of: file.identifier)
        context.step("Evicting its local copy")
        do {
            _ = try await enabled.client.call(
                AdministrationInterface.Evict.self, .init(location: enabled.location(path)))
        } catch let failure as Failure where failure.code == .notSupported || failure.code == .invalidArgument {
            try context.skip("its documents are local and have no copies: " + failure.message)
        }
        let item = try await enabled.client.call(
            DocumentsInterface.Info.self, .init(reference: enabled.reference(file.identifier))
        ).value.item
        context.expect(
            item.size == 300_000, did: "Asking for a document that was evicted", expected: "its size, 300000 bytes",
            got: item.size.map { "\($0) bytes" } ?? "no size")
        try await context.expectContent(of: file, after: "evicting its local copy")
    }

    private static func killExtension(_ context: CaseContext) async throws {
        let (_, enabled) = try daemon(context)
        let file = try await context.makeFile(count: 20_000)
        let extensions = try await enabled.client.call(AdministrationInterface.Status.self, .init()).value.extensions
        let process = extensions.first { $0.provider == enabled.provider && $0.point.hasSuffix("nonui") }?
            .processIdentifier
        guard let process else { try context.skip("its extension does not run between calls") }
        context.step("Killing its process")
        for member in ProcessTree.descendants(of: Int32(process)) + [Int32(process)] { kill(member, SIGKILL) }
        try await context.expectContent(of: file, after: "killing the provider's process")
        let again = try await context.makeFile(count: 20_000)
        try await context.expectContent(of: again, after: "killing the provider's process and creating it")
    }

    private static func unsent(_ context: CaseContext) async throws {
        let (_, enabled) = try daemon(context)
        let folder = try await context.workFolder()
        let name = context.freshName("unsent") + ".bin"
        let content = context.randomBytes(200_000)
        context.step("Saving a document")
        let saved = try await BridgedWriting(provider: enabled).save(
            content, in: enabled.reference(folder.identifier), name: name)
        try await context.restart(kill: true)
        let (_, anew) = try daemon(context)
        try await anew.drain()
        let items = try await context.list(folder.identifier)
        guard let item = items.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return context.report(
                did: "Saving \(PlainText.quoted(name)), killing the daemon with SIGKILL and starting it again",
                expected: "the document", got: PlainText.names(items.map(\.name)))
        }
        try await context.expectContent(
            of: ModelFile(item: item, content: content),
            after: "saving it as \(PlainText.quoted(saved.reference.identifier)) and killing the daemon")
    }

    private static func daemon(_ context: CaseContext) throws -> (DaemonProvider, EnabledProvider) {
        guard let provider = try context.session.instance as? DaemonProvider else {
            try context.skip("it is about clients of a daemon; the transport is \"\(context.transport.name)\"")
        }
        return (provider, provider.enabled)
    }
}
