import DocentTestSupport
import Documents
import Foundation
import Synchronization
import Testing
import ViewPolicies

@testable import MountedView

/// Whether documents are downloaded for a program that opens them.
@Suite(.mayBlock) struct DownloadGateTests {
    private static func program(_ name: String) -> CallingProgram { CallingProgram(executable: "/usr/bin/" + name) }

    @Test("programs are refused by rule and by number, and listed once each")
    func gate() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/view-policy.json"
        try Data(#"{"documentsPerMinute": 2}"#.utf8).write(to: folder.url("view-policy.json"))
        let stopped = Mutex<[String]>([])
        let gate = DownloadGate(policy: path) { program, limit in
            stopped.withLock { $0.append("\(program.path) \(program.process) \(limit)") }
        } inspect: { thread in
            switch thread {
            case 1: Self.program("tumblerd")
            case 2: Self.program("cat")
            default: nil
            }
        }
        #expect(gate.refused == nil)
        for node in 1...3 as ClosedRange<UInt64> {
            #expect(await !gate.mayDownload(node, for: 1).isAdmitted)
            #expect(await gate.mayDownload(node, for: 2).isAdmitted == (node < 3))
            #expect(await gate.mayDownload(node, for: 3).isAdmitted)
        }
        // Only the one that a number has stopped, and once.
        #expect(await !gate.mayDownload(4, for: 2).isAdmitted)
        #expect(stopped.withLock { $0 } == ["/usr/bin/cat 2 2"])
        let refused = RefusedProgram.list(try #require(gate.refused))
        #expect(refused.map(\.program).sorted() == ["cat", "tumblerd"])
        let cat = try #require(refused.first { $0.program == "cat" })
        #expect(cat.count == 2 && cat.limit == 2 && cat.rule == nil && cat.process == 2)
        let tumbler = try #require(refused.first { $0.program == "tumblerd" })
        #expect(tumbler.count == 3 && tumbler.rule == "tumblerd" && tumbler.executable == "/usr/bin/tumblerd")
        withExtendedLifetime(folder) {}
    }

    @Test("a refusal is reported when it is new, and the list never grows beyond an attribute")
    func reports() throws {
        var refused = RefusedPrograms()
        let verdict = DownloadPolicy.Verdict.limit(1)
        func note(_ name: String, _ now: Double) -> Bool {
            refused.note(Self.program(name), process: 1, because: verdict, at: now)
        }
        #expect(note("a", 0) && !note("a", 1) && note("b", 2) && !note("a", 600) && note("a", 1201))
        #expect(refused.list.map(\.program) == ["b", "a"] && refused.list.last?.count == 4)
        for number in 0..<100 { _ = note(String(repeating: "\u{1}", count: 4000) + String(number), 0) }
        let text = try #require(refused.text)
        #expect(text.utf8.count < 65_536 && !RefusedProgram.list(text).isEmpty)
        #expect(RefusedProgram.list("{").isEmpty)
    }
}
