import CommandConsole
import DocentInterfaces
import Documents
import Testing

@testable import DocentCommands

/// How the commands show remote documents, as text and as JSON.
@Suite struct RemoteTextTests {
    @Test(
        "`ls -l`: four letters show the state of the content and of the changes",
        arguments: [
            (Samples.item(), "hu--"), (Samples.item(isDownloaded: false), "-u--"),
            (Samples.item(isStale: true), "su--"), (Samples.item(uploadState: "queued", isPinned: true), "hqp-"),
            (Samples.item(uploadState: "uploading"), "h>--"),
            (Samples.item(uploadState: "failed", uploadError: "x", conflicts: 1), "h!-c"),
        ])
    func letters(item: Wire.Item, expected: String) { #expect(ItemText.state(DocumentItem(item)) == expected) }

    @Test("`info` shows why a change is not sent, and how to see the versions kept beside the document")
    func information() {
        let item = DocumentItem(
            Samples.item(
                uploadState: "failed", uploadError: "The quota\u{1B} is over.", isPinned: true, isStale: true,
                conflicts: 2))
        let text = ItemText.facts(item, path: "/a.txt")
        #expect(text.contains("uploaded:    no: it cannot be sent: The quota\\x1B is over.\n"))
        #expect(text.contains("pinned:      yes\n") && text.contains("stale:       yes"))
        #expect(text.contains("2 kept beside it; `docent versions` shows them"))
        let record = JSONValue(information: item, path: "/a.txt").compact
        #expect(record.contains(#""space": null"#))
        #expect(record.contains(#""uploadError": "The quota\u001b is over.", "uploadState": "failed""#))
        #expect(record.contains(#""conflicts": 2"#) && record.contains(#""isStale": true"#))
    }

    @Test("`info` of a top folder shows the space of the account, as far as it is known")
    func space() {
        let top = DocumentItem(Samples.item())
        let usage = AccountUsage(usedBytes: 1_000, availableBytes: 5_000_000_000)
        let text = ItemText.facts(top, path: "/", more: ItemText.space(usage))
        #expect(text.contains("used:        1.0 kB\n") && text.contains("available:   5.0 GB\n"))
        #expect(!text.contains("space:"))
        #expect(
            JSONValue(information: top, path: "/", space: usage).compact.contains(
                #""space": {"availableBytes": 5000000000, "totalBytes": null, "usedBytes": 1000}"#))
        #expect(ItemText.facts(top, path: "/", more: ItemText.space(nil)) == ItemText.facts(top, path: "/"))
    }

    @Test("`docent transfers`: progress of running transfers, and the reason of the others")
    func transfers() {
        let table = TransferText.table([
            Samples.transfer(kind: "download", state: "running"),
            Samples.transfer(state: "retrying", message: "No route."),
            Samples.transfer(state: "failed", message: "No."),
        ]).text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(
            table == [
                "ID KIND STATE DOCUMENT DOMAIN PROGRESS NOTE",
                "17 download running a.txt org.example.Cloud@work 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left",
                "17 upload retrying a.txt org.example.Cloud@work 5.0 MB of 10.0 MB No route.; again at "
                    + "1970-01-01T00:00:01Z",
                "17 upload failed a.txt org.example.Cloud@work 5.0 MB of 10.0 MB No.",
            ])
    }

    @Test("`docent transfers --json`")
    func transferRecord() {
        #expect(
            JSONValue(transfer: Samples.transfer(state: "running")).compact == #"""
                {"attempts": 1, "bytesPerSecond": 1000000.0, "completedBytes": 5000000, "document": "id-1", "domain": "work", "identifier": "17", "kind": "upload", "message": null, "name": "a.txt", "nextAttempt": "1970-01-01T00:00:01Z", "priority": "awaited", "provider": "org.example.Cloud", "state": "running", "totalBytes": 10000000, "waiters": 2}
                """#)
    }

    @Test("`docent versions --json`, and the table")
    func versions() {
        #expect(
            JSONValue(version: Samples.version).compact == #"""
                {"created": "1970-01-01T00:00:01Z", "document": "id-1", "domain": "work", "identifier": "9", "isUnresolved": false, "name": "a.txt", "provider": "org.example.Cloud", "reason": "conflict", "savedBy": null, "savedOn": null, "size": 1500}
                """#)
        #expect(VersionsListCommand.table([Samples.version]).text.contains("conflict  1.5 kB  1970-01-01T00:00:01Z"))
    }

    @Test("`docent domains` shows what is wrong with a domain and how many changes wait")
    func domains() {
        let domain = Wire.Domain(
            provider: "org.example.Cloud", identifier: "work", displayName: "Work",
            settings: ["url": "https://h/", "username": "ada"], state: "notAuthenticated",
            message: "The password is wrong.", pendingChanges: 3, failedChanges: 1, localBytes: 1500,
            credential: "session")
        #expect(
            DomainText.state(domain)
                == "not authenticated, 3 changes waiting: The password is wrong. (docent login org.example.Cloud@work)")
        let table = DomainText.table([domain]).text
        #expect(table.contains("3 (1 failed)") && table.contains("1.5 kB") && table.contains("https://h/"))
        #expect(
            JSONValue(domain: domain).compact == #"""
                {"credential": "session", "displayName": "Work", "failed": 1, "folder": null, "identifier": "work", "isUnprotected": false, "localBytes": 1500, "message": "The password is wrong.", "pending": 3, "provider": "org.example.Cloud", "state": "notAuthenticated", "url": "https://h/", "username": "ada"}
                """#)
    }

    @Test(
        "W: `docent drain` exits with the code of the changes that are left, and names them",
        arguments: [
            (0, 0, "waiting", false, nil, nil), (2, 0, "waiting", true, .deadlineExceeded, nil),
            (2, 0, "paused", false, .unavailable, "a.txt (org.example.Cloud@work): No route."),
            (0, 1, "failed", false, .failed, "a.txt (org.example.Cloud@work): No route."),
            (3, 1, "failed", true, .failed, "1 change cannot be sent, and needs your decision:"),
        ] as [(Int, Int, String, Bool, DocumentsError.Code?, String?)])
    func drain(pending: Int, failed: Int, state: String, isLate: Bool, code: DocumentsError.Code?, text: String?) {
        let failure = DrainOutcome.failure(
            pending: pending, failed: failed,
            transfers: [Samples.transfer(state: state, message: "No route."), Samples.transfer(state: "running")],
            isLate: isLate)
        #expect(failure?.code == code)
        if let text { #expect(failure?.message.contains(text) == true) }
        if code != nil { #expect(failure?.suggestion != nil) }
    }

    @Test("W: `docent drain` lists each document whose changes it counts")
    func drainList() {
        let left = ["waiting", "retrying", "paused"].map { Samples.transfer(state: $0) }
        let late = DrainOutcome.failure(pending: 5, failed: 0, transfers: left, isLate: true)
        #expect(late?.message.hasPrefix("5 changes of 3 documents still wait to be sent.") == true)
        #expect(late?.message.split(separator: "\n").count == 4)
        let alike = DrainOutcome.failure(pending: 3, failed: 0, transfers: left, isLate: false)
        #expect(alike?.message.hasPrefix("3 changes cannot be sent now:") == true)
        let failed = DrainOutcome.failure(
            pending: 3, failed: 2, transfers: left + [Samples.transfer(state: "failed")], isLate: false)
        #expect(failed?.message.hasPrefix("2 changes of 1 document cannot be sent, and need your decision:") == true)
        #expect(failed?.message.split(separator: "\n").count == 2)
    }

    @Test("Exit code 4 comes with the login command, unless the error has a better suggestion")
    func signIn() {
        let bare = DocumentsError(Failure(.notAuthenticated, "No.", provider: "org.example.Cloud"))
        #expect(
            ErrorReport.text(bare, isVerbose: false).contains("docent login org.example.Cloud@DOMAIN"))
        let advised = DocumentsError(Failure(.notAuthenticated, "No.", suggestion: "Do this."))
        #expect(ErrorReport.text(advised, isVerbose: false) == "docent: No.\n  hint: Do this.\n")
    }

    @Test("A daemon that refuses to stop is reported with both remedies")
    func stop() {
        let error = DaemonStopCommand.explained(DocumentsError(Failure(.conflict, "2 changes wait.")))
        #expect(error.suggestion?.contains("docent drain") == true)
        #expect(error.suggestion?.contains("docent daemon stop --force") == true)
    }
}
