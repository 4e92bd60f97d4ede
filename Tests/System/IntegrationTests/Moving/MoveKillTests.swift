import DocentTestSupport
import Foundation
import Glibc
import Storage
import Testing

/// kill -9 in the middle of renaming a folder on a server whose identifiers are paths.
@Suite(.needs(.daemon, .server)) struct MoveKillTests {
    @Test(
        "F4, HAZARDS 23: after a kill at any step, every right refers to its document and to no other",
        arguments: Sample.shared.of([WriteStep.committed, .sent, .published, .recorded]))
    func folder(step: WriteStep) async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("Old")
            try await server.makeFolder("Old/Deep")
            try await server.put("one", "Old/one.txt")
            try await server.put("two", "Old/Deep/two.txt")
        } _: { remote in
            let bookmarks = try await remote.bookmarks(["Old/one.txt", "Old/Deep/two.txt"])
            #expect(try await remote.read("Old/one.txt") == "one")
            #expect(try await remote.read("Old/Deep/two.txt") == "two")
            try await remote.installation.stopDaemon()
            let daemon = try await remote.installation.readyDaemon(crashAfter: step.rawValue)
            async let renaming = remote.docent("rename", remote.location("Old"), "New")
            try await remote.installation.waitForEnd(of: daemon)
            #expect(daemon.terminationReason == .uncaughtSignal && daemon.terminationStatus == SIGKILL)
            // The command retries with the next daemon.
            try await renaming.succeeded()

            #expect(try await remote.server.list() == ["New"])
            #expect(try await remote.server.text("New/Deep/two.txt") == "two")
            try await remote.server.makeFolder("Old")
            try await remote.server.put("stranger's", "Old/one.txt")
            #expect(try await remote.read("Old/one.txt") == "stranger's")
            for _ in 0..<2 {
                #expect(try await remote.read(bookmark: bookmarks["Old/one.txt"] ?? "") == "one")
                #expect(try await remote.read(bookmark: bookmarks["Old/Deep/two.txt"] ?? "") == "two")
                #expect(try await remote.names("New") == ["Deep/", "one.txt"])
                try await remote.restartDaemon()
            }
            #expect(remote.localFiles("two.txt").count == 1, "the copy under the old identifier is gone")
        }
    }

    @Test(
        "HAZARDS 19, 23: unsent changes below an interrupted rename wait until the new place is known, and are not lost",
        arguments: Sample.shared.of([true, false]))
    func unsent(isKilled: Bool) async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("Old")
            try await server.put("one", "Old/one.txt")
        } _: { remote in
            let faults = try remote.faults()
            let bookmark = try await remote.installation.bookmark(remote.location("Old/one.txt")).bookmark
            try await faults.add(.status(503, retryAfter: "1").on("PUT").always)
            try await remote.write("changed", "Old/one.txt").succeeded()
            try await remote.write("new", "Old/two.txt").succeeded()
            // The server executes the rename, its reply is lost, and lookups do not reveal the new place.
            try await faults.add(.hold(.reply).on("MOVE"))
            async let renaming = remote.docent("rename", remote.location("Old"), "New")
            try await remote.eventually("the server has executed it") { try await remote.server.list() == ["New"] }
            try await faults.add(.status(503).on("PROPFIND", "/New").named("look").always)
            if isKilled { try await remote.killDaemon() }
            try await faults.cut()
            _ = try await renaming
            try await remote.eventually("it was looked up more than once") {
                try await faults.requests("PROPFIND").count { $0.rules.contains("look") } > 4
            }
            #expect(try await remote.server.list() == ["New"])
            #expect(try await remote.versions().isEmpty)
            try await faults.reset()
            try await remote.settle()
            #expect(try await remote.server.list() == ["New"])
            #expect(try await remote.server.text("New/one.txt") == "changed")
            #expect(try await remote.server.text("New/two.txt") == "new")
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.read(bookmark: bookmark) == "changed")
        }
    }

    @Test("F4: a move that is not repeated is finished once its server answers")
    func forgotten() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("Old")
            try await server.put("one", "Old/one.txt")
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("Old/one.txt")).bookmark
            #expect(try await remote.read(bookmark: bookmark) == "one")
            try await remote.write("unsent", "Old/one.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            // The server executes the rename, but its reply is lost before the network fails.
            try await remote.faults().add(.dropReply.on("MOVE"))
            try await remote.faults().add(.status(500).on("PROPFIND").from(40).always)
            let lost = try await remote.docent("rename", remote.location("Old"), "New")
            #expect(lost.status != 0 || lost.text.contains("New"), "\(lost)")
            try await remote.killDaemon()
            try await remote.faults().reset()
            #expect(try await remote.server.list() == ["New"])
            try await remote.server.makeFolder("Old")
            try await remote.server.put("stranger's", "Old/one.txt")
            try await remote.eventually("the right follows the document") {
                let read = try await remote.docent("cat", "--bookmark", bookmark)
                #expect(read.status != 0 || read.text == "unsent", "\(read)")
                return read.status == 0
            }
            #expect(try await remote.read(bookmark: bookmark) == "unsent")
        }
    }
}
