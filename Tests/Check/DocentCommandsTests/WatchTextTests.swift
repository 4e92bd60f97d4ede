import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Testing

@testable import DocentCommands

/// What `docent watch` prints.
@Suite struct WatchTextTests {
    private static func transfer(
        _ name: String, _ state: String, kind: String = "download", message: String? = nil
    ) -> Wire.DocumentTransfer {
        .init(
            reference: .init(provider: "p", domain: "d", identifier: name), name: name, kind: kind, state: state,
            completedBytes: 5_000_000, totalBytes: 10_000_000,
            bytesPerSecond: state == "running" ? 1_000_000 : nil, message: message,
            nextAttempt: state == "retrying" ? 1 : nil)
    }

    private static func reply(
        _ transfers: [Wire.DocumentTransfer], ended: [Wire.DocumentTransfer] = []
    ) -> DocumentsInterface.Watch.Reply {
        let running = transfers.count { $0.state == "running" }
        let failed = transfers.count { $0.state == "failed" }
        return .init(
            item: Samples.item(), transfers: transfers, ended: ended.isEmpty ? nil : ended, running: running,
            waiting: transfers.count - running - failed, failed: failed,
            completedBytes: 5_000_000 * (transfers.count - failed), totalBytes: 10_000_000 * (transfers.count - failed),
            bytesPerSecond: running > 0 ? 1_000_000 * Double(running) : nil)
    }

    private static func status(_ replies: DocumentsInterface.Watch.Reply...) -> TransferStatus {
        var status = TransferStatus()
        for reply in replies { status.take(reply) }
        return status
    }

    @Test("a terminal shows a line for each transfer, as many as there is room for, and a total")
    func screen() {
        let transfers = [
            Self.transfer("a.txt", "running"), Self.transfer("b\u{1B}.txt", "retrying", message: "No route."),
            Self.transfer("c.txt", "waiting"),
        ]
        let status = Self.status(Self.reply(transfers, ended: [Self.transfer("z", "finished")]))
        let text = WatchText.screen(status, TerminalText(columns: 80, rows: 24))
        let lines = text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(
            lines == [
                "STATE KIND DOCUMENT PROGRESS NOTE",
                "running download a.txt 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left",
                "retrying download b\\x1B.txt 5.0 MB of 10.0 MB No route.; again at 1970-01-01T00:00:01Z",
                "waiting download c.txt 5.0 MB of 10.0 MB",
                "1 running, 2 waiting; 15.0 MB of 30.0 MB, 1.0 MB/s, 15 s left; 1 done",
            ], "\(lines)")
        let small = WatchText.screen(status, TerminalText(columns: 80, rows: 5))
        #expect(small.contains("and 2 more\n") && small.split(separator: "\n").count == 4)
        let idle = Self.status(Self.reply([]))
        #expect(WatchText.screen(idle, TerminalText(columns: 80, rows: 24)) == "nothing in transit\n")
    }

    @Test("without a terminal there is a line for each change, and none for progress")
    func lines() {
        var lines = WatchLines()
        var status = Self.status(Self.reply([]))
        #expect(lines.next(status) == "nothing in transit\n")
        status.take(Self.reply([]))
        #expect(lines.next(status).isEmpty)
        let both = Self.reply([
            Self.transfer("a.txt", "running"), Self.transfer("b", "failed", message: "N\u{1B}o."),
        ])
        status.take(both)
        #expect(lines.next(status) == "running download: a.txt\nfailed download: b: N\\x1Bo.\n")
        status.take(both)
        #expect(lines.next(status).isEmpty)
        status.take(
            Self.reply([], ended: [Self.transfer("a.txt", "finished"), Self.transfer("b", "failed", message: "No.")]))
        #expect(
            lines.next(status)
                == "finished download: a.txt (5.0 MB)\nfailed download: b: No.\n"
                + "nothing in transit; 1 done, 1 failed\n")
    }

    @Test("what failed is an error that names it; what was cancelled is none")
    func failure() {
        #expect(WatchText.failure(Self.status(Self.reply([], ended: [Self.transfer("a", "cancelled")]))) == nil)
        let lost = Self.status(
            Self.reply(
                [Self.transfer("up.txt", "failed", kind: "upload", message: "Full.")],
                ended: [Self.transfer("a.txt", "failed", message: "Gone.")]))
        let error = WatchText.failure(lost)
        #expect(error?.code == .failed)
        #expect(error?.message == "2 transfers failed:\na.txt: Gone.\nup.txt: Full.")
    }

    @Test("JSON has every member, null if unknown")
    func json() {
        let status = Self.status(Self.reply([Self.transfer("a.txt", "running")], ended: [Self.transfer("b", "failed")]))
        let record = WatchText.record(status).compact
        for part in [
            #""completedBytes": 5000000"#, #""failedCount": 1"#, #""isCut": false"#, #""running": 1"#,
            #""totalBytes": 10000000"#, #""kind": "download""#, #""nextAttempt": null"#, #""state": "failed""#,
            #""document": "a.txt""#, #""domain": "d""#,
        ] {
            #expect(record.contains(part), "\(part) in \(record)")
        }
        #expect(WatchText.record(TransferStatus()).compact.contains(#""item": null"#))
    }

    @Test("a location or a reference is watched; something else is refused")
    func parsing() async throws {
        #expect(try await WatchCommand.asyncParse(["LocalFolder:/a", "--until-done", "--json"]).untilDone)
        #expect(try await !WatchCommand.asyncParse(["LocalFolder:/a"]).untilDone)
        await #expect(throws: (any Error).self) { _ = try await WatchCommand.asyncParse([]) }
    }
}
