import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// The measured faults of the closest comparable project, the document portal (HAZARDS), do not occur here.
///
/// Faults 3, 4 and 5 are covered in `IsolationTests`: a kill right after a grant loses neither the grant nor the
/// daemon, and a rename keeps the right while another file under the old name does not inherit it.
@Suite(.needs(.daemon, .server)) struct PortalFaultTests {
    @Test("fault 1: truncating a document by its path, outside and inside, crashes no service")
    func truncation() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let daemon = try #require(installation.daemonProcess)
            let contained = try #require(stage.references["contained"])
            try await IsolationTests.withConfinedClient(installation, HostileStage.client) { confined in
                for _ in 0..<20 {
                    let opened = try await confined.call(DocumentsInterface.Open.self, .init(reference: contained))
                    let descriptor = try opened.descriptors.take(opened.value.file)
                    #expect(truncate("/proc/self/fd/\(descriptor.raw)", 0) == -1)
                    // By its owner, while the reader has it open.
                    #expect(truncate(stage.workshop.storage + "/a.txt", 0) == 0)
                    var byte: UInt8 = 0
                    #expect(pread(descriptor.raw, &byte, 1, 0) == 0)
                    try Data("from C\n".utf8).write(to: URL(fileURLWithPath: stage.workshop.storage + "/a.txt"))
                }
            }
            #expect(installation.daemonProcess == daemon)
        }
    }

    @Test("fault 2: grants and revocations while others open documents do not block each other")
    func grantsDuringOpens() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let read = try #require(stage.references["read"])
            let outside = installation.client("org.docent.cli")
            defer { outside.close() }
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await IsolationTests.withConfinedClient(installation, HostileStage.client) { confined in
                            for _ in 0..<100 {
                                let opened = try await confined.call(
                                    DocumentsInterface.Open.self, .init(reference: read))
                                _ = try opened.descriptors.take(opened.value.file)
                            }
                        }
                    }
                }
                for _ in 0..<100 {
                    _ = try await outside.call(
                        AdministrationInterface.AddGrant.self,
                        .init(
                            clientKind: "run", client: "org.example.other",
                            location: HostileStage.location("/secret.txt"), access: "read"))
                    let revoked = try await outside.call(
                        AdministrationInterface.Revoke.self, .init(client: "org.example.other")
                    ).value.revoked
                    #expect(revoked == 1)
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "fault 6: a lock on a document that two clients have open works, and each has its own file offset"
    )
    func locks() async throws {
        try await HostileStage.with { stage in
            let contained = try #require(stage.references["contained"])
            try await IsolationTests.withConfinedClient(stage.installation, HostileStage.client) { confined in
                let opened = try await confined.call(DocumentsInterface.Open.self, .init(reference: contained))
                let one = try opened.descriptors.take(opened.value.file)
                let again = try await confined.call(DocumentsInterface.Open.self, .init(reference: contained))
                let other = try again.descriptors.take(again.value.file)
                // Never one open file description for two clients (F2).
                #expect(lseek(one.raw, 3, SEEK_SET) == 3)
                #expect(lseek(other.raw, 0, SEEK_CUR) == 0)
                #expect(flock(one.raw, LOCK_EX | LOCK_NB) == 0)
                if try await HostileDescriptorTests.hasUserNamespaces(stage.installation) {
                    #expect(flock(other.raw, LOCK_EX | LOCK_NB) == -1)
                    #expect(errno == EWOULDBLOCK)
                    #expect(flock(one.raw, LOCK_UN) == 0)
                    #expect(flock(other.raw, LOCK_EX | LOCK_NB) == 0)
                }
                // A lock for writing needs a descriptor for writing; one for reading works with any.
                var lock = Glibc.flock()
                lock.l_type = Int16(F_WRLCK)
                #expect(fcntl(one.raw, F_SETLK, &lock) == -1)
                #expect(errno == EBADF)
                lock.l_type = Int16(F_RDLCK)
                #expect(fcntl(one.raw, F_SETLK, &lock) == 0)
            }
        }
    }

    @Test("fault 7: a client that renames its document leaves no hidden file behind")
    func renames() async throws {
        try await HostileStage.with { stage in
            let write = try #require(stage.references["write"])
            let documents = stage.installation.documents
            try await IsolationTests.withConfinedClient(stage.installation, HostileStage.client) { confined in
                for name in ["b.txt", "c.txt", "write.txt"] {
                    let moved = try await confined.call(
                        DocumentsInterface.Move.self,
                        .init(reference: write, name: name, operation: UUID().uuidString))
                    #expect(moved.value.item.name == name)
                    #expect(stage.installation.read("\(documents)/\(name)") == "the content of write.txt")
                    let names = try FileManager.default.contentsOfDirectory(atPath: documents)
                    #expect(
                        Set(names) == ["read.txt", name, "secret.txt", "victim.txt", "folder", "Box.rtfd"], "\(names)")
                }
            }
        }
    }

    @Test("fault 8: ten clients that wait for a hanging provider block no other client")
    func stuckReaders() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let stuck = (0..<10).map { installation.client("org.example.stuck\($0)") }
            defer { for client in stuck { client.close() } }
            try await withThrowingTaskGroup { group in
                for client in stuck {
                    group.addTask {
                        let location = Wire.Location(
                            provider: stage.workshop.shape.identifier, domain: "", path: "/hang")
                        _ = try? await client.call(
                            PickerInterface.GetItem.self, .init(location: location), deadline: .seconds(600))
                    }
                }
                // Another provider, and other documents of the same one.
                let report = try await Victim(stage).during { try await Task.sleep(for: .seconds(3)) }
                #expect(report.failures.isEmpty && report.rounds > 1, "\(report)")
                let lines = try await stage.attack("walk")
                #expect(lines.contains { $0.attack == "document" && $0.came.count == 64 })
                group.cancelAll()
            }
        }
    }

    @Test("fault 9: the amount written per grant does not grow with the number of documents")
    func costOfAGrant() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let few = try await Self.writtenByOneGrant(stage)
            try await installation.docent("daemon", "stop").succeeded()
            // 20,000 further rights, written to the daemon's database.
            let program = """
                import sqlite3, sys
                base = sqlite3.connect(sys.argv[1])
                names = [row[1] for row in base.execute("PRAGMA table_info(grants)") if row[1] != "id"]
                row = list(base.execute(f"SELECT {','.join(names)} FROM grants LIMIT 1").fetchone())
                place = names.index("item")
                for number in range(20000):
                    row[place] = f"many-{number}"
                    base.execute(f"INSERT INTO grants ({','.join(names)}) VALUES ({','.join('?' * len(names))})", row)
                base.commit()
                """
            try await installation.run(
                "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"]
            )
            .succeeded()
            let many = try await Self.writtenByOneGrant(stage)
            #expect(many < few + (256 << 10), "\(few) bytes were written before, \(many) with 20,000 rights")
        }
    }

    /// The bytes that the daemon writes for one further right.
    private static func writtenByOneGrant(_ stage: HostileStage) async throws -> Int {
        let outside = stage.installation.client("org.docent.cli")
        defer { outside.close() }
        // The writes of the start and of the first call are finished.
        for _ in 0..<2 { try await grant(outside) }
        let daemon = try #require(stage.installation.daemonProcess)
        let before = try written(daemon)
        try await grant(outside)
        return try written(daemon) - before
    }

    private static func grant(_ outside: DocumentsClient) async throws {
        _ = try await outside.call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: "run", client: "org.example.\(UUID().uuidString)",
                location: HostileStage.location("/secret.txt"), access: "read"))
    }

    private static func written(_ process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar:") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
}
