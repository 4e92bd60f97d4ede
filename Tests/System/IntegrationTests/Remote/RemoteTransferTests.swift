import DocentTestSupport
import Documents
import Foundation
import Glibc
import Synchronization
import Testing

/// Transfers belong to the daemon: watched, waited for, and ended with their last reader (N10, N11).
@Suite(.needs(.daemon, .server)) struct RemoteTransferTests {
    @Test("N10: every waiter gets bytes and rate during the download")
    func progress() async throws {
        try await RemoteInstallation.with { server in
            try await server.put(Data(count: 900_000), "a.bin")
        } _: { remote in
            let documents = try await [
                remote.open("a.bin", client: remote.installation.client("org.docent.one")),
                remote.open("a.bin", client: remote.installation.client("org.docent.two")),
            ]
            try await remote.faults().add(.throttle(450_000).on("GET", "a.bin").always)
            try await withThrowingTaskGroup(of: [DownloadProgress].self) { group in
                for document in documents {
                    group.addTask {
                        let seen = Mutex<[DownloadProgress]>([])
                        let item = try await document.download { progress in seen.withLock { $0.append(progress) } }
                        #expect(item.isDownloaded)
                        return seen.withLock { $0 }
                    }
                }
                for try await seen in group {
                    let bytes = seen.map(\.completedBytes)
                    #expect(Set(bytes).count > 2 && bytes == bytes.sorted(), "\(bytes)")
                    #expect(seen.last?.completedBytes == 900_000)
                    #expect(seen.allSatisfy { $0.totalBytes ?? 900_000 == 900_000 } && seen.last?.totalBytes == 900_000)
                    #expect(seen.contains { ($0.bytesPerSecond ?? 0) > 0 })
                }
            }
            #expect(try await remote.downloads("a.bin").count == 1)
        }
    }

    @Test("N11: a download is cancelled with its last waiter, not before")
    func lastWaiter() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("a", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("GET", "a.txt"))
            let readers = try (0..<2).map { _ in try remote.installation.spawn(["cat", remote.location("a.txt")]) }
            try await remote.eventually("two wait") { try await remote.transfer("a.txt")?.waiters == 2 }
            try await remote.faults().held("GET")
            readers[0].process.send(SIGKILL)
            try await remote.eventually("one waits") { try await remote.transfer("a.txt")?.waiters == 1 }
            readers[1].process.send(SIGINT)
            try await remote.eventually("the download has ended") { try await remote.transfer("a.txt") == nil }
            try await remote.faults().release()
            #expect(!(try await remote.info("a.txt").isDownloaded))
            #expect(try await remote.read("a.txt") == "a")
        }
    }

    @Test("--watch prints every change until it is interrupted")
    func watch() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            let output = remote.installation.root + "/watched"
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            let watcher = try ChildProcess(
                Installation.binaries + "/docent", ["transfers", "--watch", "--json"],
                environment: remote.installation.environment, output: .file(output))
            func seen() throws -> [[RemoteBehaviour.Transfer]] {
                let lines = (remote.installation.read(output) ?? "").split(separator: "\n")
                return try lines.map { try JSONDecoder().decode([RemoteBehaviour.Transfer].self, from: Data($0.utf8)) }
            }
            try await remote.eventually("it begins with the existing transfers") { try seen() == [[]] }
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "a.txt").succeeded()
            try await remote.eventually("the upload is printed") { try seen().last?.first?.state == "running" }
            #expect(try seen().last?.first?.kind == "upload")
            try await remote.faults().held("PUT")
            try await remote.faults().release()
            try await remote.eventually("its end is printed") { try seen().count > 2 && seen().last?.isEmpty == true }
            #expect(watcher.isRunning)
            watcher.send(SIGINT)
            try await remote.installation.waitForEnd(of: watcher)
        }
    }

    @Test("drain waits, ends with 7 on timeout, and with 1 when a change needs attention")
    func drain() async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "a.txt").succeeded()
            let late = try await remote.drain(seconds: 1)
            #expect(late.status == 7, "\(late)")
            #expect(late.errors.contains("1 change"), "\(late.errors)")
            async let waiting = remote.drain()
            try await remote.faults().release()
            #expect(try await waiting.status == 0)
            #expect(try await remote.server.text("a.txt") == "new")

            try await remote.faults().add(.status(403).on("PUT").always)
            try await remote.write("new", "b.txt").succeeded()
            let failed = try await remote.drain()
            #expect(failed.status == 1, "\(failed)")
            #expect(
                failed.errors.contains("b.txt") && failed.errors.contains("docent transfers retry"), "\(failed.errors)")
            let item = try await remote.info("b.txt")
            #expect(item.uploadState == "failed" && item.uploadError?.isEmpty == false)
            #expect(try await remote.read("b.txt") == "new")
            #expect(try await remote.domain()?.failed == 1)
            #expect(try await remote.docent("transfers", "cancel", "no-such").status == 2)
            try await remote.faults().clearRules()
            #expect(try await remote.docent("transfers", "retry").succeeded().text == "retried: 1\n")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("b.txt") == "new")
        }
    }

    @Test("the daemon does not stop while changes wait to be sent, unless forced; the next one sends them")
    func stop() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "a.txt").succeeded()
            let refused = try await remote.docent("daemon", "stop")
            #expect(refused.status == 6, "\(refused)")
            #expect(refused.errors.contains("docent drain") && refused.errors.contains("--force"))
            #expect(try await remote.installation.status().pendingOperations == 1)
            let stopped = try await remote.docent("daemon", "stop", "--force").succeeded()
            #expect(stopped.text.contains("1 change"), "\(stopped.text)")
            try await remote.faults().reset()
            #expect(try await remote.server.text("a.txt") == "old")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "new")
            try await remote.docent("daemon", "stop").succeeded()
        }
    }
}
