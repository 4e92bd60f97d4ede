import DocentTestSupport
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite(.mayBlock) struct VersionStoreTests {
    @Test("A version is kept while the user removes the only other one, and it does not miss its folder")
    func keptWhileRemoved() throws {
        let scratch = try Scratch()
        let store = VersionStore(layout: scratch.layout)
        let staging = try Directory(path: scratch.layout.stagingDirectory)
        // An identifier too long for a file name, so that the folder has a file of its own beside the versions.
        let item = String(repeating: "i", count: 300)
        let failures = Mutex<[String]>([])
        let group = DispatchGroup()
        for operation in ["first", "second"] {
            let name = try FileName(operation)
            _ = try staging.create(name)
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                for round in 0..<300 {
                    do {
                        let place = try store.keepLink(
                            to: name, in: staging, item: item, reason: .conflict, operation: operation)
                        try store.remove(place)
                    } catch {
                        failures.withLock { $0.append("\(operation), round \(round): \(error)") }
                    }
                }
            }
        }
        group.wait()
        #expect(failures.withLock(\.self) == [])
        #expect(try Directory(path: scratch.layout.versionsDirectory).names().isEmpty)
    }
}
