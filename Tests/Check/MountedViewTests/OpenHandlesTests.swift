import CFUSE
import Documents
import Glibc
import Testing

@testable import MountedView

/// What the keeper of a mount gets of the files that programs have open.
@Suite(.timeLimit(.minutes(1))) struct OpenHandlesTests {
    private struct Keeper {
        let handles: OpenHandles
        private let line: CInt
        private let server: CInt

        init(first: UInt64? = nil) throws {
            var ends: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
            (line, server) = (ends[0], ends[1])
            let kept = KeptState(line: ends[1])
            handles = first.map { OpenHandles(kept: kept, first: $0) } ?? OpenHandles(kept: kept)
        }

        func end() {
            close(line)
            close(server)
        }

        /// The next message; nil if there is none.
        func next(waits: Bool = false) -> (KeptState.Action, KeptState.Entry)? {
            if !waits {
                var entry = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 0) > 0 else { return nil }
            }
            var bytes = [UInt8](repeating: 0, count: KeptState.messageSize)
            var descriptor: CInt = -1
            guard cfuse_receive(line, &bytes, bytes.count, &descriptor) == bytes.count else { return nil }
            if descriptor >= 0 { close(descriptor) }
            return KeptState.read(bytes)
        }

        func file() -> OpenHandles.OpenFile { OpenHandles.OpenFile(node: 7, owning: dup(line)) }
    }

    @Test("what a program reads and closes at once costs the keeper nothing")
    func short() throws {
        let keeper = try Keeper()
        defer { keeper.end() }
        for _ in 0..<100 {
            let number = keeper.handles.add(node: 7, file: keeper.file(), isWriter: false, for: 2)
            #expect(keeper.handles.remove(number)?.node == 7)
        }
        #expect(keeper.next() == nil)
    }

    @Test("what stays open gets to the keeper, and what is written at once")
    func long() throws {
        let keeper = try Keeper()
        defer { keeper.end() }
        let reader = keeper.handles.add(node: 7, file: keeper.file(), isWriter: false, for: 2)
        let writer = keeper.handles.add(node: 8, file: nil, isWriter: true, for: 4)
        #expect(keeper.next()?.1.key == writer)
        #expect(keeper.next(waits: true)?.1.key == reader)
        for number in [reader, writer] {
            keeper.handles.remove(number)
            let message = try #require(keeper.next())
            #expect(message.0 == .forget && message.1.key == number)
        }
    }

    @Test("a handle that only an earlier server can have given is opened again, and no other")
    func former() throws {
        let keeper = try Keeper(first: 10)
        defer { keeper.end() }
        let restored = keeper.handles.restore([(.init(kind: .file, key: 5, node: 7), dup(0))]) { _, descriptor in
            RestoredReading(descriptor) { () async throws(DocumentsError) in
                throw DocumentsError(.failed, "There are no parts.")
            }
        }
        #expect(restored.isEmpty)
        #expect(keeper.handles.mayBeFormer(6) && !keeper.handles.mayBeFormer(5))
        keeper.handles.adopt(6, node: 7, file: keeper.file())
        #expect(!keeper.handles.mayBeFormer(6) && keeper.handles.file(6)?.node == 7)
        let own = keeper.handles.add(node: 7, file: keeper.file(), isWriter: false, for: 2)
        #expect(!keeper.handles.mayBeFormer(own) && !keeper.handles.mayBeFormer(own + 1))
    }

    @Test("no server gives a number that one before it gave, although the keeper never got it")
    func successors() throws {
        var given: Set<UInt64> = []
        for _ in 0..<3 {
            let keeper = try Keeper()
            defer { keeper.end() }
            for number in given { #expect(keeper.handles.mayBeFormer(number)) }
            for _ in 0..<100 {
                let number = keeper.handles.add(node: 7, file: keeper.file(), isWriter: false, for: 2)
                #expect(given.insert(number).inserted)
            }
        }
    }
}
