import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The known deadlocks of SEMANTICS 2.9 between real processes: each resolves by itself, with or without an error.
///
/// | 2.9 | what | where |
/// |---|---|---|
/// | 1 | a presenter on the main thread, which waits in a coordinated call | here |
/// | 2 | two that hold one document each and ask for the other's | ``ClaimProcessTests`` |
/// | 3 | a presenter that saves while it is asked to relinquish | ``PresenterProcessTests`` |
/// | 4 | a process that is stopped while it holds a claim | ``ClaimProcessTests`` |
/// | 5 | a provider that coordinates on its own item without its purpose | ``ProviderCoordinationTests`` |
/// | 6 | a deletion that waits for a reader, which reads a sibling in the same package | here |
/// | 7 | a presenter that waits for its user while more is asked of it | here |
/// | 8 | two documents of one process on one URL | ``PresenterProcessTests``, `DocumentClassTests` |
/// | 9 | an accessor's access that is used after it returned | here |
/// | 10 | one document for reading and for writing in `prepare` | ``ClaimProcessTests`` |
/// | 11 | a writer on a package and a reader of its contents, in one task with two coordinators | here |
@Suite(.needs(.daemon)) struct DeadlockTests {
    @Test(
        "2.9 deadlock 1, 2.9 deadlock 6, 2.9 deadlock 7, 2.9 deadlock 9, 2.9 deadlock 11: each resolves by itself, with or without an error"
    )
    func resolves() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["main.txt", "modal.txt", "late.txt"] { try installation.write("first", to: name) }
            for name in ["siblings", "read", "write"] {
                try installation.makePackage(
                    "\(name).rtfd", ["TXT.rtf": "text", "part/one": "1", "sibling/two": "2"])
            }
            try await TestStep.run("main thread") {
                try await Self.mainThread(installation, "LocalFolder:/main.txt")
            }
            try await TestStep.run("siblings") { try await Self.siblings(installation, "LocalFolder:/siblings.rtfd") }
            try await TestStep.run("modal") { try await Self.modal(installation, "LocalFolder:/modal.txt") }
            try await TestStep.run("late") { try await Self.late(installation, "late.txt") }
            for kind in ["read", "write"] {
                try await TestStep.run("\(kind) in package") {
                    try await Self.inPackage(installation, "LocalFolder:/\(kind).rtfd", kind)
                }
            }
        }
    }

    /// A coordinated call on the main thread fails if a presenter on that thread would have to answer (deadlock 1).
    private static func mainThread(_ installation: Installation, _ document: String) async throws {
        let probe = try await Probe(installation, client: "org.example.Main")
        let presenter = try await probe.run("present", document, "main", until: "presenting")
        #expect(presenter == ["presenting"])
        let error = try await probe.wait(try probe.send("block-main", document), for: "error")
        #expect(error[1] == "Deadlock", "\(error)")
        #expect(error[2].contains("main"), "\(error)")
        // Unblocked processes are answered; and without the presenter the main thread may wait.
        let other = try await Probe(installation)
        #expect(try await other.run("read", document, until: "read")[1] == "first")
        try await probe.run("unpresent", "1", until: "ok")
        #expect(try await probe.run("block-main", document, until: "read")[1] == "first")
    }

    /// A reader in a package can proceed to a sibling although a deletion waits for it (deadlock 6).
    private static func siblings(_ installation: Installation, _ location: String) async throws {
        let reader = try await Probe(installation)
        let deleter = try await Probe(installation)
        let reading = try reader.send(
            "nest", "read", "\(location)/part/one", "read", "\(location)/sibling/two")
        try await reader.wait(reading, for: "granted")
        let deleting = try deleter.send("hold-write", "\(location)/part", "forDeleting")
        #expect(try await deleter.staysWithout(deleting, "granted"))
        try reader.send("release", reading)
        try await reader.wait(reading, for: "both")
        try await reader.wait(reading, for: "released")
        try await deleter.wait(deleting, for: "granted")
    }

    /// A presenter that waits for its user gets one question at a time, and all callers continue afterwards (deadlock
    /// 7).
    private static func modal(_ installation: Installation, _ document: String) async throws {
        let presenter = try await Probe(installation)
        let id = try presenter.send("present", document, "silent")
        try await presenter.wait(id, for: "presenting")
        let actor = try await Probe(installation)
        let append = try actor.send("append", document, " second")
        try await presenter.wait(id, for: "toWriter")
        let read = try actor.send("read", document)
        #expect(try await actor.staysWithout(read, "read"))
        #expect(presenter.kinds(id) == ["presenting", "toWriter"])
        try presenter.send("release", "silence-\(id)")
        try await actor.wait(append, for: "ok")
        #expect(try await actor.wait(read, for: "read")[1].contains("second"))
        try await installation.eventually("it is asked to reacquire") {
            presenter.kinds(id).filter { $0 == "reacquire" }.count == 2
        }
    }

    /// When the accessor returns, open writes are published; a write begun later is refused (deadlock 9).
    private static func late(_ installation: Installation, _ name: String) async throws {
        let document = "LocalFolder:/\(name)"
        let probe = try await Probe(installation)
        let id = try probe.send("late", document, "in time")
        let returned = try await probe.wait(id, for: "returned")
        #expect(returned[1] == "ended" && returned[2] == "-1")
        let refused = try await probe.wait(id, for: "refused")
        #expect(refused[1] == "ClaimLost", "\(refused)")
        #expect(installation.read("\(installation.documents)/\(name)") == "in time")
        // The claim has ended with the accessor.
        let other = try await Probe(installation)
        try await other.wait(try other.send("write", document, "by another"), for: "ok")
    }

    /// Writing a package and reading or writing in it with another coordinator is a deadlock error at once (deadlock
    /// 11).
    private static func inPackage(_ installation: Installation, _ location: String, _ kind: String) async throws {
        let probe = try await Probe(installation, client: "org.example.Packager")
        let id = try probe.send("nest", "write", location, kind, "\(location)/TXT.rtf")
        try await probe.wait(id, for: "granted")
        try probe.send("release", id)
        let error = try await probe.wait(id, for: "error")
        #expect(error[1] == "Deadlock", "\(kind): \(error)")
        #expect(error[2].contains("org.example.Packager"), "\(kind): \(error)")
        // No claim is left.
        try await probe.wait(try probe.send("hold-write", location), for: "granted")
    }
}
