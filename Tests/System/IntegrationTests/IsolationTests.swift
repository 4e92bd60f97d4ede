import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Access control: rights, their end, and what they are bound to (I1 to I4, G2, G7).
@Suite(.needs(.daemon)) struct IsolationTests {
    // MARK: Confined clients

    @Test("G7, I2, I4: a confined client without a grant gets nothing, and its attempts are logged")
    func confinedClientsWithoutGrant() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            // The same identifier, unconfined, has every right: the kinds never match each other.
            let unconfined = installation.client("org.example.Editor")
            defer { unconfined.close() }
            let document = try await Self.picker(unconfined).openDocument(at: Self.location("/a.txt"))
            let bookmark = try await document.bookmark()
            try await Self.withConfinedClient(installation, "org.example.Editor") { confined in
                let stolen = confined.document(document.reference, access: .readWrite)
                #expect(await Self.failure { _ = try await stolen.item() } == .notPermitted)
                #expect(await Self.failure { close(try await stolen.openForReading()) } == .notPermitted)
                #expect(await Self.failure { _ = try await stolen.beginWriting() } == .notPermitted)
                #expect(await Self.failure { _ = try await stolen.bookmark() } == .notPermitted)
                #expect(await Self.failure { _ = try await confined.resolve(bookmark: bookmark) } == .notFound)
                let reference = document.reference
                let wire = Wire.ItemReference(
                    provider: reference.provider, domain: reference.domain, identifier: reference.identifier)
                for item in [wire, .init(provider: wire.provider, domain: "", identifier: ".root")] {
                    #expect(
                        await Self.failure {
                            _ = try await confined.call(DocumentsInterface.List.self, .init(reference: item))
                        }
                            == .notPermitted)
                    #expect(
                        await Self.failure {
                            _ = try await confined.call(
                                DocumentsInterface.Import.self, .init(reference: item, operation: UUID().uuidString))
                        } == .notPermitted)
                }
                // Refusals are durable before they are answered: an immediate kill loses none of them.
                if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            }
            let refused = try await Self.audit(installation).filter {
                $0.event == "refused" && $0.kind == "run" && $0.client == "org.example.Editor"
                    && $0.item == document.reference.identifier
            }
            #expect(refused.reduce(0) { $0 + $1.count } >= 6, "\(refused)")
        }
    }

    @Test(
        "I2: on the common socket a process in another user or mount namespace is refused, for administration too",
        arguments: [
            ["bwrap", "--dev-bind", "/", "/"],
            ["bwrap", "--unshare-user", "--dev-bind", "/", "/"],
            ["unshare", "--user", "--map-current-user"],
            ["unshare", "--user", "--map-root-user", "--mount"],
        ])
    func otherNamespaces(sandbox: [String]) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let program = [Installation.binaries + "/docent"]
            for verb in [["ls", "LocalFolder:/"], ["cat", "LocalFolder:/a.txt"], ["grants"], ["daemon", "stop"]] {
                let outcome = try await installation.run("/usr/bin/env", sandbox + program + verb)
                #expect(outcome.status == 3, "\(verb): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            #expect(try await Self.grants(installation).isEmpty)
        }
    }

    // MARK: Grants

    @Test(
        "I4, fault 3, fault 4: every acknowledged grant survives an immediate kill of the daemon",
        arguments: Sample.shared.of(Array(0..<3)))
    func grantsAreDurable(round: Int) async throws {
        try await Installation.withLocalFolder { installation in
            for number in 0..<10 { try installation.write("\(number)", to: "\(number).txt") }
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            var references: [DocumentReference] = []
            for number in 0..<10 {
                references.append(
                    try await Self.picker(client).openDocument(at: Self.location("/\(number).txt")).reference)
            }
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            for (number, reference) in references.enumerated() {
                let descriptor = try await client.document(reference).openForReading()
                #expect(Self.text(descriptor) == "\(number)")
            }
            #expect(installation.daemonProcess != daemon)
        }
    }

    @Test("I3, L2: revoking ends a lease and a write begun before; open descriptors stay readable")
    func revocation() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await Self.picker(client).openDocument(at: Self.location("/a.txt"))
            let bookmark = try await document.bookmark()
            let held = try await document.openForReading()
            // Now with a lease.
            #expect(Self.text(try await document.openForReading()) == "hello")
            let writing = try await document.beginWriting(replacing: true)
            _ = write(writing.descriptor, "other", 5)
            try await installation.docent("revoke", "--client", "org.example.Editor", "--yes").succeeded()
            for _ in 0..<3 {
                #expect(await Self.failure { close(try await document.openForReading()) } == .notPermitted)
            }
            #expect(await Self.failure { try await writing.commit() } == .notPermitted)
            #expect(await Self.failure { _ = try await client.resolve(bookmark: bookmark) } == .notFound)
            #expect(Self.text(held) == "hello")
            #expect(installation.read(installation.documents + "/a.txt") == "hello")
            if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            #expect(try await Self.grants(installation).isEmpty, "a revocation is durable before it is answered")
        }
    }

    @Test("fault 5: a rename keeps the grant, and another file under the old name does not inherit it")
    func renamedDocuments() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("mine", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await Self.picker(client).openDocument(at: Self.location("/a.txt"))
            let bookmark = try await document.bookmark()
            let folder = installation.documents
            #expect(rename(folder + "/a.txt", folder + "/b.txt") == 0)
            try installation.write("a stranger's", to: "a.txt")
            #expect(Self.text(try await document.openForReading()) == "mine")
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(resolved.item.name == "b.txt")
            #expect(Self.text(try await resolved.document.openForReading()) == "mine")
            try await installation.docent("daemon", "stop").succeeded()
            #expect(Self.text(try await client.resolve(bookmark: bookmark).document.openForReading()) == "mine")
            // Deleted permanently: still no access to the other file.
            #expect(unlink(folder + "/b.txt") == 0)
            try await installation.eventually("the deleted document is not found") {
                await Self.failure { close(try await document.openForReading()) } == .notFound
            }
            #expect(await Self.failure { _ = try await client.resolve(bookmark: bookmark) } == .notFound)
        }
    }

    @Test("W0: an open reader keeps the old content after a replacement, and a new one gets the new content")
    func readersKeepTheirContent() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("old content", to: "a.txt")
            let client = installation.client("org.example.Editor")
            defer { client.close() }
            let document = try await Self.picker(client).openDocument(at: Self.location("/a.txt"))
            let reader = try await document.openForReading()
            #expect(fcntl(reader, F_GETFL) & O_ACCMODE == O_RDONLY)
            let writing = try await document.beginWriting(replacing: true)
            // A descriptor kept past the commit must not reach the committed content.
            let kept = dup(writing.descriptor)
            _ = write(kept, "new", 3)
            try await writing.commit()
            _ = pwrite(kept, "BAD", 3, 0)
            close(kept)
            #expect(Self.text(try await document.openForReading()) == "new")
            #expect(installation.read(installation.documents + "/a.txt") == "new")
            #expect(Self.text(reader) == "old content")
        }
    }

    @Test("G2: a reference carries no right, and the right to read does not allow writing")
    func namesAreNoRights() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let (client, other) = (installation.client("org.example.Editor"), installation.client("org.example.Other"))
            defer {
                client.close()
                other.close()
            }
            let document = try await Self.picker(client).openDocument(at: Self.location("/a.txt"), access: .read)
            let bookmark = try await document.bookmark()
            #expect(Self.text(try await document.openForReading()) == "hello")
            #expect(await Self.failure { _ = try await document.beginWriting() } == .notPermitted)
            let resolved = try await client.resolve(bookmark: bookmark)
            #expect(resolved.document.access == .read)
            let named = other.document(document.reference, access: .readWrite)
            #expect(await Self.failure { close(try await named.openForReading()) } == .notPermitted)
            #expect(await Self.failure { _ = try await named.bookmark() } == .notPermitted)
            #expect(await Self.failure { _ = try await other.resolve(bookmark: bookmark) } == .notFound)
            var forged = Array(bookmark)
            forged[forged.count / 2] = forged[forged.count / 2] == "A" ? "B" : "A"
            let url = document.reference.url
            #expect(url.hasPrefix("docent://org.docent.LocalFolder/"))
            for text in [String(forged), String(bookmark.dropLast()), bookmark + "A", "", "x", url] {
                #expect(await Self.failure { _ = try await client.resolve(bookmark: text) } == .notFound, "\(text)")
            }
        }
    }
}
