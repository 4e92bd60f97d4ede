import DocentTestSupport
import Foundation
import Glibc
import HostTesting
import Records
import Rights
import Testing

@Suite(.mayBlock) struct DurabilityTests {
    @Test("Fault 4: every acknowledged grant survives kill -9 right after the acknowledgement")
    func killAfterAcknowledgement() async throws {
        let directory = try TemporaryDirectory()
        let path: String = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try await GrantStore(database: HostDatabase(directory: path))
            for number in 0..<20 {
                let grant = try await store.record(writer, document("\(number)"), .readWrite, origin: .open)
                acknowledge(grant.item.identifier, in: path)
            }
            try await store.revoke(GrantFilter(item: document("7")))
            acknowledge("-7", in: path)
            kill(getpid(), SIGKILL)
        }
        #expect(try acknowledged(in: path).count == 21)
        let store = try await GrantStore(database: HostDatabase(directory: path))
        let names = Set(store.grants().map(\.item.identifier))
        #expect(names == Set((0..<20).filter { $0 != 7 }.map(String.init)))
    }

    @Test(
        "Faults 3 and 4: a kill at any moment, including the first, loses nothing acknowledged",
        arguments: [0, 3, 8, 15, 25, 40, 80])
    func killAtAnyMoment(milliseconds: Int) async throws {
        let directory = try TemporaryDirectory()
        let path: String = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, milliseconds = milliseconds as Int] in
            Thread.detachNewThread {
                usleep(UInt32(milliseconds) * 1000)
                kill(getpid(), SIGKILL)
            }
            let store = try await GrantStore(database: HostDatabase(directory: path))
            for number in 0... {
                try await store.record(writer, document("\(number)"), .read, origin: .open)
                acknowledge("\(number)", in: path)
            }
        }
        let promised = try acknowledged(in: path)
        let store = try await GrantStore(database: HostDatabase(directory: path))
        for name in promised { #expect(store.check(writer, document(name), .read) != nil) }
        // At most the one change that was in progress may exist without its acknowledgement.
        #expect(store.grants().count - promised.count <= 1)
        try await store.record(writer, document("afterwards"), .read, origin: .open)
    }

    @Test("W5: an acknowledged journal step survives kill -9")
    func journal() async throws {
        let directory = try TemporaryDirectory()
        let path: String = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let journal = OperationJournal(database: try HostDatabase(directory: path))
            let request = OperationRequest(
                write: document("a"), operation: "save 1", principal: writer, baseVersion: "v1")
            let operation = try await journal.begin(request)
            try await journal.staged(operation.id, digest: "d", size: 5, baseVersion: "v1")
            kill(getpid(), SIGKILL)
        }
        let journal = OperationJournal(database: try HostDatabase(directory: path))
        let pending = try await journal.pending()
        #expect(pending.map(\.operation) == ["save 1"])
        #expect(pending.first?.state == .staged)
        #expect(pending.first?.digest == "d")
    }
}

private func acknowledge(_ name: String, in directory: String) {
    let descriptor = open(directory + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = (name + "\n").withCString { write(descriptor, $0, strlen($0)) }
    close(descriptor)
}

private func acknowledged(in directory: String) throws -> [String] {
    guard let text = try? String(contentsOfFile: directory + "/acknowledged", encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map(String.init)
}
