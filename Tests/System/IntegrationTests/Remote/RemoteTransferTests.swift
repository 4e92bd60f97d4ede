import DocentTestSupport
import Documents
import Foundation
import Glibc
import Synchronization
import Testing

/// Transfers belong to the daemon: shared, ordered, watched, cancelled and retried (N9 to N11).
@Suite(.needs(.daemon, .server)) struct RemoteTransferTests {
    @Test("ten readers of a document share one download", arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func coalescing(kind: WebDAVServer.Kind) async throws {
        let text = Installation.content("shared", lines: 5_000)
        try await RemoteInstallation.with(kind) { server in
            try await server.put(text, "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold(.responseBody, after: 1_000).on("GET", "a.txt").always)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { try await remote.read("a.txt") } }
                try await remote.eventually("ten wait") { try await remote.transfer("a.txt")?.waiters == 10 }
                // A hold released before the content is requested takes effect later.
                try await remote.eventually("some of it has arrived") {
                    try await (remote.transfer("a.txt")?.completedBytes ?? 0) > 0
                }
                let transfer = try #require(try await remote.transfer("a.txt"))
                #expect(transfer.kind == "download" && transfer.state == "running" && transfer.priority == "awaited")
                #expect(transfer.totalBytes == text.utf8.count)
                try await remote.faults().release()
                for try await read in group { #expect(read == text) }
            }
            #expect(try await remote.downloads("a.txt").count == 1)
            #expect(try await remote.transfers().isEmpty)
        }
    }

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

    @Test("a document with a waiting reader is fetched before a pinned one")
    func priorities() async throws {
        let options = RemoteInstallation.Options(settings: ["maximumTransfers=1"])
        try await RemoteInstallation.with(options: options) { server in
            try await server.makeFolder("pinned")
            for number in 1...4 { try await server.put("p", "pinned/\(number).txt") }
            try await server.put("awaited", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("GET", "pinned/").named("held"))
            #expect(try await remote.docent("pin", remote.location("pinned")).succeeded().text == "kept here: 4\n")
            _ = try await remote.faults().request("the first pinned document") { $0.method == "GET" }
            async let read = remote.read("a.txt")
            try await remote.eventually("a client waits") { try await remote.transfer("a.txt")?.waiters == 1 }
            let waiting = try await remote.transfers()
            #expect(waiting.count { $0.state == "running" } == 1, "\(waiting)")
            try await remote.faults().release()
            #expect(try await read == "awaited")
            try await remote.eventually("all copies are local") { try await remote.transfers().isEmpty }
            let order = try await remote.faults().requests("GET").map(\.path)
            #expect(order.count == 5)
            #expect(order.firstIndex { $0.hasSuffix("/a.txt") } == 1, "\(order)")
            for number in 1...4 { #expect(try await remote.info("pinned/\(number).txt").isDownloaded) }
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

    @Test("N9: an explicitly requested download continues when its client is gone")
    func withoutClient() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("pinned", "a.txt")
            try await server.put("old", "b.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("GET", "a.txt"), .hold().on("PUT"))
            try await remote.docent("pin", remote.location("a.txt")).succeeded()
            try await remote.write("new", "b.txt").succeeded()
            try await remote.eventually("both are running") {
                try await remote.transfers().count { $0.state == "running" && $0.waiters == 0 } == 2
            }
            for method in ["GET", "PUT"] { try await remote.faults().held(method) }
            #expect(try await remote.info("b.txt").uploadState == "uploading")
            try await remote.faults().release()
            try await remote.eventually("both are done") { try await remote.transfers().isEmpty }
            #expect(try await remote.server.text("b.txt") == "new")
            #expect(try await remote.info("a.txt").isDownloaded)
            #expect(try await remote.downloads("a.txt").count == 1)
        }
    }

    @Test("a cancelled upload is kept, and sent on retry")
    func cancelUpload() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "a.txt").succeeded()
            try await remote.eventually("it is sent") { try await remote.transfer("a.txt")?.state == "running" }
            try await remote.faults().held("PUT")
            let identifier = try #require(try await remote.transfer("a.txt")?.identifier)
            try await remote.docent("transfers", "cancel", identifier).succeeded()
            try await remote.eventually("it is shown as failed") {
                try await remote.info("a.txt").uploadState == "failed"
            }
            #expect(try await remote.info("a.txt").uploadError?.isEmpty == false)
            try await remote.faults().release()
            #expect(try await remote.read("a.txt") == "new")
            let transfer = try #require(try await remote.transfer("a.txt"))
            #expect(transfer.state == "failed" && transfer.kind == "upload")
            let drained = try await remote.drain()
            #expect(drained.status == 1, "\(drained)")
            // Also after a restart.
            try await remote.restartDaemon()
            #expect(try await remote.info("a.txt").uploadState == "failed")
            #expect(try await remote.server.text("a.txt") == "old")
            let again = try #require(try await remote.transfer("a.txt")?.identifier)
            #expect(try await remote.docent("transfers", "retry", again).succeeded().text == "retried: 1\n")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "new")
            #expect(try await remote.info("a.txt").uploadState == "uploaded")
        }
    }

    @Test("a client that waits for a cancelled download gets an error")
    func cancelDownload() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("a", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("GET", "a.txt"))
            async let read = remote.docent("cat", remote.location("a.txt"))
            try await remote.eventually("a client waits") { try await remote.transfer("a.txt")?.waiters == 1 }
            try await remote.faults().held("GET")
            let identifier = try #require(try await remote.transfer("a.txt")?.identifier)
            try await remote.docent("transfers", "cancel", identifier).succeeded()
            #expect(try await read.status == 7)
            try await remote.faults().release()
            #expect(try await remote.docent("transfers", "cancel", "no-such").status == 2)
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
            try await remote.faults().clearRules()
            try await remote.docent("transfers", "retry").succeeded()
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
