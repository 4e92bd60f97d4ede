import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Synchronization
import Testing
import Varlink

/// I1, T4: requests to the user, made to mislead the user, to exhaust the daemon, or to be answered by the asker.
@Suite(.needs(.daemon, .server)) struct HostilePickTests {
    @Test(
        "I1, T4: a request cannot mislead the user, only the user can answer it, it gets no more than it asked for, and its descriptors are checked"
    )
    func picks() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let outside = installation.client("org.example.victim")
            defer { outside.close() }
            let other = UUID().uuidString
            let honest = try VarlinkConnection.connect(path: installation.socket)
            defer { honest.close() }
            _ = try honest.callBlocking(DocumentsInterface.OpenSession.self, .init(client: "org.example.victim"))
            _ = try honest.callBlocking(
                DocumentsInterface.BeginWrite.self, .init(reference: stage.victim, replacing: true, operation: other))
            let listening = Task {
                try await outside.follow(
                    AdministrationInterface.PickRequests.self, .init(client: HostileStage.client, clientKind: "run")
                ) { _ in }
            }
            defer { listening.cancel() }
            let attack = Attack()
            async let attacked = attack.run(stage, ["operations": ["other": other]])
            do {
                try await Self.user(stage, attack)
            } catch {
                // The hostile client's own error explains it better.
                Issue.record(error)
                let met = try await attacked
                throw Problem("the client's results: \(met.suffix(8))")
            }
            let lines = try await attacked

            lines.expect("control: somebody", ["asked"])
            lines.expect("control: export", ["asked"])
            lines.expect("control: move", ["asked"])
            lines.expect("control: a picture", ["worked"])
            lines.expect("control: requests with terrible words", ["asked"])
            lines.expect("source: ", ["InvalidArgument", "not made"])
            // The question may be asked: the amount is limited when it is copied.
            lines.expect("source hole of 8 TiB", ["asked", "InvalidArgument", "NoSpace", "not made"])
            lines.expect("source index", ["InvalidParameter", "InvalidArgument", "closed"])
            lines.expect("request with", ["InvalidArgument", "InvalidParameter"])
            lines.expect("request without", ["InvalidArgument"])
            lines.expect("thumbnail: ", ["InvalidArgument", "not made"])
            lines.expect("thumbnail index", ["InvalidParameter", "InvalidArgument", "closed"])
            lines.expect("attributes", ["InvalidArgument"])
            // Each principal has its own names of operations: this one waits for a creation that never begins.
            lines.expect("another's operation: attributes", ["NotFound", "NotPermitted", "InvalidArgument", "worked"])
            lines.expect("requests at a time", ["Unavailable asked"])
            lines.expect("asked at a time", ["4"])
            lines.expect("after the flood", ["asked"])
            lines.expect("answer its own request", ["NotPermitted"])
            #expect(lines.filter { $0.attack == "answer its own request" }.count == 8)
            lines.expect("listen to requests", ["NotPermitted"])
            lines.expect("asked to read, answered to edit", ["read"])
            lines.expect("then it writes", ["NotPermitted"])
            lines.expect("then it keeps the right to edit", ["NotPermitted"])
            let names = try FileManager.default.subpathsOfDirectory(atPath: installation.documents)
            #expect(!names.contains { $0.contains("planted") || $0.contains("report") }, "\(names)")
            _ = try honest.callBlocking(DocumentsInterface.CommitWrite.self, .init(operation: other))
            let attributes = try await installation.run(
                "/usr/bin/python3",
                ["-c", "import os, sys; print(os.listxattr(sys.argv[1]))", installation.documents + "/victim.txt"]
            ).succeeded().text
            #expect(!attributes.contains("planted"), "\(attributes)")
            let grants = try await outside.call(
                AdministrationInterface.ListGrants.self, .init(client: HostileStage.client)
            ).value.grants
            #expect(grants.count == 6, "five of the scene and the chosen one: \(grants)")
        }
    }

    /// The hostile client's run, and whether it has ended: then nothing waits any longer.
    private final class Attack: Sendable {
        private let isOver = Mutex(false)

        func run(_ stage: HostileStage, _ more: [String: [String: String]]) async throws -> [HostileLine] {
            defer { isOver.withLock { $0 = true } }
            return try await stage.attack("picks", more)
        }

        /// Whether the client has reported this step through a file.
        func hasWritten(_ path: String) throws -> Bool {
            let wasOver = isOver.withLock { $0 }
            if FileManager.default.fileExists(atPath: path) { return true }
            if wasOver { throw Problem("the hostile client ended too early") }
            return false
        }
    }

    private struct Requests: Decodable {
        struct Request: Decodable {
            var identifier: String
            var name: String?
            var reason: String?
            var access: String?
            var mode: String
        }
        var requests: [Request]
    }

    /// Lists the requests as the user does, checks them, and answers.
    private static func user(_ stage: HostileStage, _ attack: Attack) async throws {
        let installation = stage.installation
        try await installation.eventually("four requests are waiting", within: 600) {
            try attack.hasWritten(stage.shared + "/holding")
        }
        let table = try await installation.docent("picks").succeeded().text
        #expect(table.components(separatedBy: "NASTYWORDS").count >= 5, "\(table)")
        let lines = table.split(separator: "\n").count
        #expect(lines == 5, "a heading and a line for each of four: \(table)")
        for scalar in table.unicodeScalars where scalar != "\n" {
            #expect(!disturbs(scalar), "U+\(String(scalar.value, radix: 16)) is shown")
        }
        #expect(table.utf8.count < 16 << 10)
        let found = try await installation.docent("picks", "--json").succeeded().json(Requests.self).requests
        #expect(found.count == 4)
        for words in found.flatMap({ [$0.name, $0.reason] }).compactMap(\.self) {
            #expect(!words.unicodeScalars.contains(where: disturbs), "\(words)")
            #expect(words.count <= 255)
        }
        try Data(found.map(\.identifier).joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: stage.shared + "/requests"), options: .atomic)
        try await installation.eventually("it has tried to answer", within: 300) {
            try attack.hasWritten(stage.shared + "/tried")
        }
        // A name that leads elsewhere is refused to the answering user who names a folder.
        for request in found where request.mode == "export" {
            let answer = try await installation.docent(
                "picks", "answer", request.identifier, "LocalFolder:/folder")
            #expect(answer.status != 0, "\(request)")
        }
        let reading = try #require(found.last { $0.mode == "open" })
        try await installation.docent("picks", "answer", reading.identifier, "LocalFolder:/secret.txt").succeeded()
        _ = FileManager.default.createFile(atPath: stage.shared + "/over", contents: nil)
    }

    /// Characters that move the cursor, change the direction of writing, or are invisible.
    private static func disturbs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}
