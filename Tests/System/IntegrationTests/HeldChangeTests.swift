import DocentTestSupport
import Foundation
import Testing

/// Many changes at once by the user's own programs: what they see, and how they go on.
@Suite(.needs(.daemon)) struct HeldChangeTests {
    private static let docent = Installation.binaries + "/docent"

    private static func withFolder(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { installation in
            for number in 0..<5 { try installation.write("\(number)", to: "f/\(number).txt") }
            try await body(installation)
        }
    }

    private static func exists(_ installation: Installation) -> Bool {
        FileManager.default.fileExists(atPath: installation.documents + "/f/4.txt")
    }

    @Test(
        "docent rm asks on the terminal before many documents go, and does what the person says", arguments: ["y", "n"])
    func terminal(_ answer: String) async throws {
        try await Self.withFolder { installation in
            let outcome = try await installation.onTerminal(
                [Self.docent, "rm", "-r", "LocalFolder:/f"], [("Go on? [y/N]", .type(answer + "\n"))])
            #expect(outcome.text.contains("org.docent.cli would delete or replace"), "\(outcome.text)")
            #expect(outcome.status == (answer == "y" ? 0 : 7), "\(outcome.text)")
            #expect(Self.exists(installation) == (answer == "n"))
            let held = try await installation.docent("held").succeeded().text
            #expect(held.contains("org.docent.cli") == (answer == "n"), "\(held)")
        }
    }

    @Test("Without a terminal docent rm exits with 6 and deletes nothing; --yes is the answer in advance")
    func script() async throws {
        try await Self.withFolder { installation in
            let refused = try await installation.docent("rm", "-r", "LocalFolder:/f")
            #expect(
                refused.status == 6 && refused.errors.contains("docent held allow org.docent.cli"), "\(refused.errors)")
            #expect(Self.exists(installation))
            struct Held: Decodable {
                struct Client: Decodable { var client, kind, since: String, documents: Int }
                var clients: [Client]
                var limit: Int?
            }
            let held = try await installation.docent("held", "--json").succeeded().json(Held.self)
            #expect(held.clients.map(\.client) == ["org.docent.cli"] && held.clients.map(\.kind) == ["unconfined"])
            #expect(held.clients.map(\.documents) == [4] && held.limit == 3)
            let log = try await installation.docent("log", "--refused").succeeded().text
            #expect(log.contains("held: too many changes at once"), "\(log)")
            try await installation.docent("rm", "-r", "--yes", "LocalFolder:/f").succeeded()
            #expect(!Self.exists(installation))
        }
    }

    @Test("docent write exits with 6 when it is held, and what it read is kept")
    func write() async throws {
        try await Self.withFolder { installation in
            for number in 0..<3 {
                try await installation.docent("write", "LocalFolder:/f/\(number).txt", input: Data("new".utf8))
                    .succeeded()
            }
            let refused = try await installation.docent("write", "LocalFolder:/f/3.txt", input: Data("mine".utf8))
            #expect(refused.status == 6, "\(refused.errors)")
            #expect(installation.read(installation.documents + "/f/3.txt") == "3")
            try await installation.eventually("what could not be saved is a version") {
                try await installation.docent("versions").succeeded().text.contains("recovered")
            }
            // A new document replaces nothing.
            try await installation.docent("write", "LocalFolder:/f/new.txt", input: Data("new".utf8)).succeeded()
            try await installation.docent("held", "allow", "org.docent.cli").succeeded()
            try await installation.docent("write", "LocalFolder:/f/3.txt", input: Data("mine".utf8)).succeeded()
        }
    }

    @Test("In a mounted folder a change that is held is not permitted, and can be made once it is allowed")
    func view() async throws {
        try await ViewWorld.with(changeLimit: 2) { world in
            let installation = world.view.installation
            for number in 0..<4 { try installation.write("old", to: "\(number).txt") }
            let save = """
                save() { python3 -c "import os, sys; f = open(sys.argv[1], 'r+b'); f.write(b'new'); f.flush(); \
                os.fsync(f.fileno())" $1; };
                """
            try await world.run(save + " save 0.txt && save 1.txt && save 0.txt").succeeded()
            for script in [save + " save 2.txt", "rm 3.txt"] {
                let refused = try await world.run(script)
                #expect(refused.status != 0 && refused.errors.contains("Operation not permitted"), "\(refused.errors)")
            }
            #expect(world.stored("2.txt") == "old" && world.stored("3.txt") == "old")
            try await world.run("printf fresh > fresh.txt").succeeded()
            try await installation.docent("held", "allow", "org.docent.view").succeeded()
            try await world.run(save + " save 2.txt && rm 3.txt").succeeded()
            #expect(world.stored("2.txt") == "new" && world.stored("3.txt") == nil)
        }
    }
}
