import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// Access control: rights, their end, and what they are bound to (I1 to I4, G2, G7).
@Suite(.needs(.daemon)) struct IsolationTests {
    // MARK: Confined clients

    @Test("I1: picker and administration are refused to a confined client, whatever it requests")
    func confinedClientsCannotChoose() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            try await Self.withConfinedClient(installation, "org.example.Editor") { confined in
                let location = Wire.Location(provider: "LocalFolder", domain: "", path: "/a.txt")
                typealias Picker = PickerInterface
                typealias Administration = AdministrationInterface
                let calls: [(String, () async throws -> Void)] = [
                    ("ListProviders", { _ = try await confined.call(Picker.ListProviders.self, .init()) }),
                    ("GetItem", { _ = try await confined.call(Picker.GetItem.self, .init(location: location)) }),
                    ("ListFolder", { _ = try await confined.call(Picker.ListFolder.self, .init(location: location)) }),
                    (
                        "PickImport",
                        {
                            _ = try await confined.call(
                                Picker.PickImport.self, .init(location: location, operation: "1"))
                        }
                    ),
                    (
                        "PickOpen",
                        {
                            _ = try await confined.call(
                                Picker.PickOpen.self, .init(location: location, access: "read", operation: "2"))
                        }
                    ),
                    ("ListGrants", { _ = try await confined.call(Administration.ListGrants.self, .init()) }),
                    ("Status", { _ = try await confined.call(Administration.Status.self, .init()) }),
                    ("Stop", { _ = try await confined.call(Administration.Stop.self, .init(force: true)) }),
                    (
                        "Revoke",
                        { _ = try await confined.call(Administration.Revoke.self, .init(provider: "LocalFolder")) }
                    ),
                    (
                        "DisableProvider",
                        {
                            _ = try await confined.call(
                                Administration.DisableProvider.self, .init(provider: "LocalFolder"))
                        }
                    ),
                    (
                        "ListenForClient",
                        {
                            for try await _ in try confined.stream(
                                Administration.ListenForClient.self, .init(client: "org.example.Other"))
                            { break }
                        }
                    ),
                ]
                for (name, call) in calls {
                    let code = await Self.failure(call)
                    #expect(code == .notPermitted, "\(name)")
                }
            }
            #expect(try await Self.grants(installation).isEmpty)
            try await installation.docent("ls", "LocalFolder:/").succeeded()
        }
    }

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

    @Test("I2: the socket created for a client determines its identity, not what it states or whose session it joins")
    func statedIdentifier() async throws {
        try await Installation.withLocalFolder { installation in
            let unconfined = try VarlinkConnection.connect(path: installation.socket)
            defer { unconfined.close() }
            let other = try unconfined.callBlocking(
                DocumentsInterface.OpenSession.self, .init(client: "org.example.Other")
            ).value
            try await Self.withSocket(installation, "org.example.Editor") { path in
                let connection = try VarlinkConnection.connect(path: path)
                defer { connection.close() }
                #expect(throws: (any Error).self) {
                    try connection.callBlocking(DocumentsInterface.JoinSession.self, .init(token: other.token))
                }
                let opened = try connection.callBlocking(
                    DocumentsInterface.OpenSession.self, .init(client: "org.gnome.TextEditor")
                ).value
                #expect(
                    opened.principal == .init(kind: "run", identifier: "org.example.Editor", strength: "enforced"))
                // An unconfined program cannot become the confined one with its token either.
                let outside = try VarlinkConnection.connect(path: installation.socket)
                defer { outside.close() }
                #expect(throws: (any Error).self) {
                    try outside.callBlocking(DocumentsInterface.JoinSession.self, .init(token: opened.token))
                }
                try await Self.withSocket(installation, "org.example.Second") { second in
                    let third = try VarlinkConnection.connect(path: second)
                    defer { third.close() }
                    #expect(throws: (any Error).self) {
                        try third.callBlocking(DocumentsInterface.JoinSession.self, .init(token: opened.token))
                    }
                }
            }
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
        arguments: 0..<3)
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
            #expect(await Self.failure { _ = try await other.resolve(bookmark: bookmark) } == .notFound)
            var forged = Array(bookmark)
            forged[forged.count / 2] = forged[forged.count / 2] == "A" ? "B" : "A"
            for text in [String(forged), String(bookmark.dropLast()), bookmark + "A", "", "x"] {
                #expect(await Self.failure { _ = try await client.resolve(bookmark: text) } == .notFound, "\(text)")
            }
        }
    }
}
