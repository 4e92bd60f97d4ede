import DocentTestSupport
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite(.mayBlock) struct InboxTests {
    @Test("C9: sessions of one client begin and end at the same time, and none removes the folder of another")
    func sessionsAtOnce() throws {
        let scratch = try Scratch()
        let inbox = Inbox(layout: scratch.layout)
        let source = try scratch.file("s", [1, 2])
        let failures = Mutex<[String]>([])
        let group = DispatchGroup()
        for session in ["first", "second"] {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                for round in 0..<500 {
                    do {
                        _ = try inbox.importCopy(
                            of: source.number, named: Array("a.txt".utf8), principalKind: "unconfined",
                            principal: "org.example", session: session, bound: 10)
                        try inbox.removeSession(
                            principalKind: "unconfined", principal: "org.example", session: session)
                    } catch {
                        failures.withLock { $0.append("\(session), round \(round): \(error)") }
                    }
                }
            }
        }
        group.wait()
        #expect(failures.withLock(\.self) == [])
        #expect(try Directory(path: scratch.layout.inboxDirectory).names().isEmpty)
    }
}
