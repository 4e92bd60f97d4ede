import DocentInterfaces
import Foundation
import Logging
import Rights
import Storage
import Synchronization
import Testing

@testable import HostServices

/// Where the bookmark key is stored, with a keyring that the test controls.
@Suite final class BookmarkKeyTests {
    /// A keyring in memory.
    private final class FakeKeyring: Sendable {
        struct State {
            var keys: [String: [UInt8]] = [:]
            var answer = BookmarkKeyring.KeyringState.usable
            var refuses = false
            var probes = 0
        }

        let state: Mutex<State>

        init(_ answer: BookmarkKeyring.KeyringState) { state = Mutex(State(answer: answer)) }

        var keys: [String: [UInt8]] { state.withLock { $0.keys } }

        func become(_ answer: BookmarkKeyring.KeyringState) { state.withLock { $0.answer = answer } }

        var keyring: BookmarkKeyring {
            BookmarkKeyring(
                probe: {
                    self.state.withLock {
                        $0.probes += 1; return $0.answer
                    }
                },
                read: { name in self.state.withLock { $0.keys[name] } },
                store: { key, name in
                    try self.state.withLock { state in
                        if state.refuses { throw CancellationError() }
                        state.keys[name] = key
                    }
                })
        }
    }

    private let folder = NSTemporaryDirectory() + "docent-key-\(UUID().uuidString.prefix(8))"
    private let store: BookmarkStore
    private let grants: GrantStore
    private let file: BookmarkKeyFile

    init() async throws {
        let layout = StorageLayout(dataDirectory: folder, runtimeDirectory: folder + "/run")
        try layout.prepare()
        let database = try HostDatabase(directory: folder)
        store = BookmarkStore(database: database)
        grants = try await GrantStore(database: database)
        file = BookmarkKeyFile(layout: layout)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    // One run of the daemon: it remembers nothing of the one before.
    private func key(_ keyring: FakeKeyring) -> BookmarkKey {
        BookmarkKey(
            store: store, file: file, keyring: keyring.keyring, worker: BlockingWorker(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func makeRow(_ seal: BookmarkSeal) async throws {
        let principal = Principal(kind: .unconfined, identifier: "org.example")
        let item = ItemKey(provider: "p", identifier: "a")
        let grant = try await grants.record(principal, item, .read, origin: .open)
        _ = try await store.makeRow(principal, item, .read, grant: grant.id, seal: seal.name)
    }

    @Test("the key is created in a usable keyring, and in no file")
    func madeInKeyring() async throws {
        let keyring = FakeKeyring(.usable)
        let made = try await key(keyring).seal(making: true)
        #expect(try await store.keyPlace() == .keyring)
        #expect(keyring.keys.count == 1)
        #expect(try file.read() == nil)
        #expect(try await key(keyring).seal(making: false).name == made.name)
        #expect(await key(keyring).check().status == "ok")
    }

    @Test(
        "without a usable keyring, the key is created in a file that only its user may read",
        arguments: [BookmarkKeyring.KeyringState.locked, .absent("no service")])
    func madeInFile(state: BookmarkKeyring.KeyringState) async throws {
        let keyring = FakeKeyring(state)
        let made = try await key(keyring).seal(making: true)
        #expect(try await store.keyPlace() == .file)
        #expect(keyring.keys.isEmpty)
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 32)
        #expect(try await key(keyring).seal(making: false).name == made.name)
        #expect(await key(keyring).check().status == "ok")
    }

    @Test("the key goes to the file when the keyring refuses it")
    func refusingKeyring() async throws {
        let keyring = FakeKeyring(.usable)
        keyring.state.withLock { $0.refuses = true }
        _ = try await key(keyring).seal(making: true)
        #expect(try await store.keyPlace() == .file)
        #expect(try file.read() != nil)
    }

    @Test("the key moves from the file to a keyring that becomes available, and stays the same")
    func moves() async throws {
        let keyring = FakeKeyring(.absent("not yet"))
        let made = try await key(keyring).seal(making: true)
        keyring.become(.usable)
        let later = key(keyring)
        #expect(try await later.seal(making: false).name == made.name)
        #expect(await later.check().status == "ok")
        #expect(try await store.keyPlace() == .keyring)
        #expect(try file.read() == nil)
        #expect(try await key(keyring).seal(making: false).name == made.name)
    }

    @Test("a key file that a kill during the move left behind is deleted at the next use")
    func interruptedMove() async throws {
        let keyring = FakeKeyring(.absent("not yet"))
        let made = try await key(keyring).seal(making: true)
        let bytes = try #require(try file.read())
        let name = try await store.keyName()
        keyring.state.withLock { $0.keys[name] = bytes }
        try await store.setKeyPlace(.keyring)
        keyring.become(.usable)
        #expect(try await key(keyring).seal(making: false).name == made.name)
        #expect(try file.read() == nil)
    }

    @Test("while the keyring with the key is locked or unreachable, no other key is used, and the error says so")
    func lockedLater() async throws {
        let keyring = FakeKeyring(.usable)
        let made = try await key(keyring).seal(making: true)
        for state in [BookmarkKeyring.KeyringState.locked, .absent("gone")] {
            keyring.become(state)
            let later = key(keyring)
            for making in [true, false] {
                let error = await #expect(throws: Failure.self) { try await later.seal(making: making) }
                #expect(error?.code == .unavailable)
            }
            #expect(await later.check().status == "warning")
            #expect(try file.read() == nil)
        }
        keyring.become(.usable)
        #expect(try await key(keyring).seal(making: true).name == made.name)
    }

    @Test("law 5: an unusable keyring is not asked again by each of many calls")
    func manyCalls() async throws {
        let keyring = FakeKeyring(.usable)
        _ = try await key(keyring).seal(making: true)
        keyring.become(.locked)
        let later = key(keyring)
        let before = keyring.state.withLock { $0.probes }
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = try? await later.seal(making: false) } }
        }
        #expect(keyring.state.withLock { $0.probes } - before < 50)
    }

    @Test("concurrent calls create one key")
    func oneKey() async throws {
        let keyring = FakeKeyring(.absent("none"))
        let shared = key(keyring)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await shared.seal(making: true).name } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }

    @Test(
        "reading does not replace a lost key; the next bookmark creates one, and the doctor counts the lost bookmarks")
    func lost() async throws {
        let keyring = FakeKeyring(.absent("none"))
        let made = try await key(keyring).seal(making: true)
        try await makeRow(made)
        try file.remove()
        let later = key(keyring)
        await #expect(throws: BookmarkFault.keyLost) { try await later.seal(making: false) }
        #expect(try file.read() == nil)
        let check = await later.check()
        #expect(check.status == "error" && check.detail.contains("1 bookmark cannot"), "\(check)")
        let fresh = try await later.seal(making: true)
        #expect(fresh.name != made.name)
        #expect(await later.check().status == "warning")
    }

    @Test(
        "an invalid key file is set aside",
        arguments: ["", "short", String(repeating: "x", count: 33)])
    func damaged(content: String) async throws {
        let keyring = FakeKeyring(.absent("none"))
        _ = try await key(keyring).seal(making: true)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
        await #expect(throws: BookmarkFault.keyLost) { try await key(keyring).seal(making: false) }
        let fresh = try await key(keyring).seal(making: true)
        #expect(try file.read().flatMap(BookmarkSeal.init(key:))?.name == fresh.name)
        #expect(try String(contentsOfFile: file.path + ".unusable", encoding: .utf8) == content)
    }
}
