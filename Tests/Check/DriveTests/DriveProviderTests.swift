import Drive
import FileProvider
import Foundation
import Synchronization
import Testing

/// The provider on a drive in a directory, with two machines.
struct DriveProviderTests {
    /// A machine: its own directory, the same store.
    final class Machine: Sendable {
        let storage: String
        let store: String
        let name: String

        init(_ name: String, _ root: String) throws {
            self.name = name
            store = root + "/store"
            storage = root + "/" + name
            for path in [store, storage] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
        }

        func provider() throws -> DriveProvider {
            try DriveProvider(
                domain: FileProviderDomain(
                    identifier: "d", displayName: "Drive", folder: store, documentStorage: storage,
                    settings: ["device": name]), host: FileProviderHost())
        }

        func authenticate(_ form: String, _ values: [String: String] = [:], _ person: Person = Person()) async throws
            -> Credential
        {
            let form = try #require(DriveProvider.signInForms.first { $0.identifier == form })
            return try await provider().authenticate(
                SignInAnswers(values, to: form), interaction: person.interaction
            ).credential
        }
    }

    /// Somebody who signs in, notes the phrase, and repeats it when asked.
    final class Person: Sendable {
        private let texts = Mutex<[String]>([])
        private let open = Mutex<SignInInteraction?>(nil)
        private let wrongAnswers: Mutex<Int>

        init(wrongAnswers: Int = 0) { self.wrongAnswers = Mutex(wrongAnswers) }

        var phrase: String {
            texts.withLock { $0 }.joined().firstMatch(of: /([0-9A-Z]{5}-){7}[0-9A-Z]{5}/).map { String($0.output.0) }
                ?? ""
        }

        var interaction: SignInInteraction {
            let interaction = SignInInteraction(redirectURL: nil, answersQuestions: true) { [self] step in
                switch step {
                case .message(let text): texts.withLock { $0.append(text) }
                case .question(_, let number, _):
                    let isWrong = wrongAnswers.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                    let answer = isWrong ? "no phrase" : phrase
                    let interaction = open.withLock { $0 }
                    Task { try interaction?.answer(number, with: answer) }
                default: break
                }
            }
            open.withLock { $0 = interaction }
            return interaction
        }
    }

    private final class Root: Sendable {
        let path =
            (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp") + "/drive-\(UUID().uuidString)"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let root = Root()

    private func machines() async throws -> (one: DriveProvider, two: DriveProvider, phrase: String) {
        let person = Person()
        let (first, second) = (try Machine("one", root.path), try Machine("two", root.path))
        let credential = try await first.authenticate("create", [:], person)
        let one = try first.provider()
        _ = try await one.signIn(credential)
        let other = try await second.authenticate("recover", ["phrase": person.phrase.lowercased()])
        let two = try second.provider()
        _ = try await two.signIn(other)
        return (one, two, person.phrase)
    }

    private func content(_ bytes: [UInt8]) throws -> ContentReader {
        let path = root.path + "/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        return try ContentReader(owning: Foundation.open(path, O_RDONLY))
    }

    private func create(
        _ provider: DriveProvider, _ name: String, _ bytes: [UInt8]?, in parent: ItemIdentifier = .rootContainer,
        operation: String = UUID().uuidString
    ) async throws -> FileProviderItem {
        try await provider.createItem(
            basedOn: ItemTemplate(parent: parent, filename: name, isFolder: bytes == nil),
            contents: try bytes.map { try content($0) }, operation: ChangeOperation(identifier: operation),
            progress: TransferProgress())
    }

    private func modify(
        _ provider: DriveProvider, _ item: FileProviderItem, _ bytes: [UInt8], operation: String = UUID().uuidString
    ) async throws -> ModifiedItem {
        try await provider.modifyItem(
            item.identifier, baseVersion: item.version, contents: try content(bytes),
            operation: ChangeOperation(identifier: operation), progress: TransferProgress())
    }

    private func read(
        _ provider: DriveProvider, _ item: ItemIdentifier, resumingAt start: ResumePoint? = nil
    ) async throws -> [UInt8] {
        let path = root.path + "/\(UUID().uuidString)"
        let writer = ContentWriter(owning: Foundation.open(path, O_RDWR | O_CREAT, 0o600))
        _ = try await provider.fetchContents(
            of: item, resumingAt: start, into: writer, progress: TransferProgress())
        return try Array(Data(contentsOf: URL(filePath: path)))
    }

    private func names(_ provider: DriveProvider, _ folder: ItemIdentifier = .rootContainer) async throws -> Set<String>
    {
        var found: Set<String> = []
        var page: String?
        repeat {
            let next = try await provider.children(of: folder, page: page)
            found.formUnion(next.items.map(\.filename))
            page = next.nextPage
        } while page != nil
        return found
    }

    @Test("R1: what one machine makes the other one sees")
    func whatOneMachineMakesTheOtherOneSees() async throws {
        let (one, two, _) = try await machines()
        let anchor = try await two.changes(since: nil).anchor
        let folder = try await create(one, "folder", nil)
        let large = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 >> 9) }
        let document = try await create(one, "large", large, in: folder.identifier)
        let changes = try await two.changes(since: anchor)
        #expect(Set(changes.changed.map(\.identifier)) == [folder.identifier, document.identifier])
        #expect(try await read(two, document.identifier) == large)
        let moved = try await two.moveItem(
            document.identifier, baseVersion: document.version, to: .rootContainer, named: "moved",
            operation: ChangeOperation(identifier: "m"))
        #expect(moved.identifier == document.identifier && moved.version == document.version)
        try await two.deleteItem(folder.identifier, baseVersion: nil, recursive: false)
        let back = try await one.changes(since: changes.anchor)
        #expect(back.deleted == [folder.identifier])
        #expect(back.changed == [moved])
        #expect(try await names(one) == ["moved"])
    }

    @Test("a repeated operation makes nothing new")
    func aRepeatedOperationMakesNothingNew() async throws {
        let (one, _, _) = try await machines()
        let folder = try await create(one, "folder", nil, operation: "f")
        #expect(try await create(one, "folder", nil, operation: "f") == folder)
        let document = try await create(one, "a", [1], operation: "c")
        #expect(try await create(one, "a", [1], operation: "c") == document)
        let changed = try await modify(one, document, [2], operation: "w")
        #expect(try await modify(one, document, [2], operation: "w") == changed)
        #expect(try await names(one) == ["folder", "a"])
        await #expect(throws: FileProviderError.self) { try await create(one, "a", [3]) }
    }

    @Test("edits of both are a conflict until one is deleted")
    func editsOfBothAreAConflictUntilOneIsDeleted() async throws {
        let (one, two, _) = try await machines()
        let document = try await create(one, "notes.txt", [1])
        _ = try await two.changes(since: nil)
        _ = try await modify(one, document, [2])
        let saved = try await modify(two, document, [3])
        #expect(saved.conflict == nil, "nobody has told this machine yet")
        _ = try await two.changes(since: nil)
        let items = try await two.children(of: .rootContainer, page: nil).items
        #expect(items.count == 2)
        let conflict = try #require(items.first { $0.filename != "notes.txt" })
        #expect(conflict.filename.hasPrefix("notes (") && conflict.filename.hasSuffix(").txt"))
        let contents = [try await read(two, conflict.identifier), try await read(two, document.identifier)]
        #expect(Set(contents) == [[2], [3]])
        try await two.deleteItem(conflict.identifier, baseVersion: nil, recursive: false)
        _ = try await one.changes(since: nil)
        #expect(try await names(one) == ["notes.txt"])
        #expect(try await read(one, document.identifier) == contents[1])
    }

    @Test("a restart keeps the anchor and the state")
    func aRestartKeepsTheAnchorAndTheState() async throws {
        let person = Person()
        let machine = try Machine("one", root.path)
        let credential = try await machine.authenticate("create", [:], person)
        var provider: DriveProvider? = try machine.provider()
        _ = try await provider?.signIn(credential)
        try await provider?.startObserving(.rootContainer)
        _ = try await provider?.signIn(credential)
        let first = try await create(try #require(provider), "a", [1])
        let anchor = try #require(try await provider?.changes(since: nil).anchor)
        await provider?.signOut()
        provider = nil
        let again = try machine.provider()
        await #expect(throws: FileProviderError.self) { try await again.item(for: first.identifier) }
        _ = try await again.signIn(credential)
        #expect(try await again.changes(since: anchor).changed.isEmpty)
        #expect(try await again.item(for: first.identifier) == first)
        await #expect(throws: FileProviderError.self) { try await again.changes(since: "00") }
    }

    @Test("a download resumes and parts are read")
    func aDownloadResumesAndPartsAreRead() async throws {
        let (one, _, _) = try await machines()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
        let document = try await create(one, "a", bytes)
        let path = root.path + "/part"
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT, 0o600)
        let writer = PartialContentWriter(owning: descriptor, range: 1_000_000..<1_500_000)
        let part = try await one.fetchPartialContents(
            of: document.identifier, version: try #require(document.version), range: 1_000_000..<1_500_000,
            into: writer, progress: TransferProgress())
        #expect(part.totalBytes == bytes.count)
        #expect(writer.bytesWritten == 500_000)
        await #expect(throws: FileProviderError.self) {
            _ = try await one.fetchPartialContents(
                of: document.identifier, version: ItemVersion(content: "0"), range: 0..<1,
                into: PartialContentWriter(owning: Foundation.open(path, O_RDWR), range: 0..<1),
                progress: TransferProgress())
        }
    }

    @Test("the phrase is asked back")
    func thePhraseIsAskedBack() async throws {
        let machine = try Machine("one", root.path)
        await #expect(throws: FileProviderError.self) {
            _ = try await machine.authenticate("create", [:], Person(wrongAnswers: 5))
        }
        #expect(!FileManager.default.fileExists(atPath: machine.store + "/format.json"))
        _ = try await machine.authenticate("create", [:], Person(wrongAnswers: 4))
        await #expect(throws: FileProviderError.self) { _ = try await machine.authenticate("create") }
        await #expect(throws: FileProviderError.self) {
            _ = try await machine.authenticate(
                "recover", ["phrase": "00000-00000-00000-00000-00000-00000-00000-00000"])
        }
    }

    @Test("a machine that is set up anew goes on under a new identifier")
    func aMachineThatIsSetUpAnewGoesOnUnderANewIdentifier() async throws {
        let person = Person()
        let machine = try Machine("one", root.path)
        let first = try machine.provider()
        _ = try await first.signIn(try await machine.authenticate("create", [:], person))
        _ = try await create(first, "a", [1])
        await first.signOut()
        let second = try machine.provider()
        _ = try await second.signIn(try await machine.authenticate("recover", ["phrase": person.phrase]))
        _ = try await create(second, "b", [1])
        #expect(try await names(second) == ["a", "b"])
    }
}
