import FileProvider
import Foundation
import Testing

@testable import WebDAV

@Suite struct OperationNotesTests {
    @Test("I1: notes of concurrent operations are all kept, each with its own bytes")
    func together() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/notes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let notes = OperationNotes(directory: directory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let operation = ChangeOperation(identifier: "operation.\(number)")
                    try notes.add(operation, Array("\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<50 {
            let operation = ChangeOperation(identifier: "operation.\(number)")
            #expect(notes.has(operation))
            #expect(notes.bytes(operation) == Array("\(number)".utf8))
        }
    }

    @Test("I1: an operation's attempts are counted across processes")
    func counts() throws {
        let directory = FileManager.default.temporaryDirectory.path + "/notes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (one, other) = (ChangeOperation(identifier: "one"), ChangeOperation(identifier: "other"))
        for expected in 0..<12 {
            let notes = OperationNotes(directory: directory)
            #expect(notes.count(one) == expected)
            try notes.increase(one)
        }
        #expect(OperationNotes(directory: directory).count(other) == 0)
    }

    @Test("I1: a note belongs to its own operation, and is gone once it is removed")
    func own() throws {
        let directory = FileManager.default.temporaryDirectory.path + "/notes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let notes = OperationNotes(directory: directory)
        let (one, other) = (ChangeOperation(identifier: "one"), ChangeOperation(identifier: "other"))
        try notes.add(one, [1])
        #expect(notes.has(one) && !notes.has(other))
        notes.remove(one)
        #expect(!notes.has(one) && notes.bytes(one).isEmpty)
    }
}
