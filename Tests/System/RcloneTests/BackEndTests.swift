import DocentTestSupport
import FileProvider
import Foundation
import Testing

@testable import Rclone

extension RcloneTests {
    struct BackEndTests {
        private static let backEnds = Sample.shared.of(BackEnd.allCases)
        /// Those on which changes at the same time are tried.
        private static let concurrent = Sample.shared.of([BackEnd.local, .webdav])

        @Test("a stored document can be read, listed and found by its name", arguments: backEnds)
        func stores(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let names = [
                "plain.txt", "[brackets] {x}?#%41&.txt", "ümlaut 漢字 😀.txt",
                " blanks .txt".trimmingCharacters(in: .whitespaces),
            ]
            for name in names {
                let item = try await remote.create(name, "of \(name)")
                #expect(item.filename == name)
                #expect(item.version != nil)
                #expect(try await remote.text(item.identifier) == "of \(name)")
                #expect(try await remote.provider.child(named: name, in: .rootContainer) == item)
                #expect(try await remote.provider.item(for: item.identifier) == item)
            }
            let listed = try await remote.provider.children(of: .rootContainer, page: nil).items
            #expect(Set(listed.map(\.filename)) == Set(names))
            for item in listed { #expect(try await remote.provider.item(for: item.identifier) == item) }
        }

        @Test("a name is found byte for byte, and not by another spelling", arguments: backEnds)
        func spellings(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("caf\u{E9}.txt", "x")
            #expect(try await remote.provider.child(named: "caf\u{E9}.txt", in: .rootContainer) == item)
            #expect(
                try await code { _ = try await remote.provider.child(named: "cafe\u{301}.txt", in: .rootContainer) }
                    == .noSuchItem)
        }

        @Test("a change with a stale base is refused, and the existing content stays", arguments: backEnds)
        func conflicts(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("note.txt", "one")
            let changed = try await remote.modify(item, "two, longer", base: item.version).item
            #expect(changed.version != item.version)
            #expect(
                try await code { _ = try await remote.modify(item, "lost", base: item.version) } == .versionOutOfDate)
            #expect(
                try await code {
                    try await remote.provider.deleteItem(item.identifier, baseVersion: item.version, recursive: false)
                } == .versionOutOfDate)
            #expect(try await remote.text(item.identifier) == "two, longer")
            #expect(try await remote.names() == ["note.txt"], "no unfinished upload is listed")
        }

        @Test("of several changes of one version at the same time, one succeeds", arguments: concurrent)
        func concurrentChanges(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            for round in 0..<5 {
                let item = try await remote.create("note \(round).txt", "one")
                let codes = await withTaskGroup(of: FileProviderError.Code?.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            // Different sizes, because a date may be in whole seconds.
                            let text = String(repeating: "\(writer)", count: 50_000 + writer)
                            do { _ = try await remote.modify(item, text, base: item.version) } catch {
                                return (error as? FileProviderError)?.code ?? .failed
                            }
                            return nil
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.allSatisfy { $0 == nil || $0 == .versionOutOfDate }, "\(codes)")
            }
        }

        @Test("of several creations of one name at the same time, one succeeds", arguments: concurrent)
        func concurrentCreations(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            for round in 0..<5 {
                let codes = await withTaskGroup(of: FileProviderError.Code?.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            let text = String(repeating: "\(writer)", count: 20_000 + writer)
                            do { _ = try await remote.create("note \(round).txt", text) } catch {
                                return (error as? FileProviderError)?.code ?? .failed
                            }
                            return nil
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.allSatisfy { $0 == nil || $0 == .filenameCollision }, "\(codes)")
            }
        }

        @Test(
            "new content of the same length replaces the old one, and has its own version even within the same second",
            arguments: backEnds)
        func sameLength(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("note.txt", "aaaa")
            let changed = try await remote.modify(item, "bbbb", base: nil).item
            #expect(changed.version != item.version)
            #expect(try await remote.text(item.identifier) == "bbbb")
        }

        @Test("creating and renaming never replace", arguments: backEnds)
        func collisions(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let first = try await remote.create("first.txt", "first")
            let second = try await remote.create("second.txt", "second")
            #expect(try await code { _ = try await remote.create("first.txt", "first") } == .filenameCollision)
            #expect(
                try await code {
                    _ = try await remote.provider.moveItem(
                        second.identifier, baseVersion: nil, to: .rootContainer, named: "first.txt",
                        operation: Remote.operation())
                } == .filenameCollision)
            #expect(try await remote.text(first.identifier) == "first")
            #expect(try await remote.text(second.identifier) == "second")
        }

        @Test("a repeated operation makes no second change", arguments: backEnds)
        func repeats(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let creation = Remote.operation()
            let item = try await remote.create("note.txt", "one", creation)
            #expect(try await remote.create("note.txt", "one", creation).identifier == item.identifier)
            let other = try await remote.again()
            let again = try await other.createItem(
                basedOn: ItemTemplate(parent: .rootContainer, filename: "note.txt"), contents: remote.contents("one"),
                operation: creation, progress: TransferProgress())
            #expect(again.identifier == item.identifier)
            let change = Remote.operation()
            _ = try await remote.modify(item, "two!", base: item.version, change)
            _ = try await remote.modify(item, "two!", base: item.version, change)
            #expect(try await remote.text(item.identifier) == "two!")
            let move = Remote.operation()
            for _ in 0..<2 {
                let moved = try await remote.provider.moveItem(
                    item.identifier, baseVersion: nil, to: .rootContainer, named: "moved.txt", operation: move)
                #expect(moved.filename == "moved.txt")
            }
            #expect(try await remote.names() == ["moved.txt"])
        }

        @Test(
            "folders are created, renamed and deleted, and stay while empty; renaming is refused where the back end cannot do it",
            arguments: backEnds)
        func folders(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let folder = try await remote.makeFolder("folder")
            #expect(folder.isFolder)
            #expect(try await remote.names(in: folder.identifier) == [])
            #expect(try await code { _ = try await remote.makeFolder("folder") } == .filenameCollision)
            let item = try await remote.create("in it.txt", "x", in: folder.identifier)
            #expect(item.parent == folder.identifier)
            #expect(
                try await code {
                    try await remote.provider.deleteItem(folder.identifier, baseVersion: nil, recursive: false)
                } == .directoryNotEmpty)
            var last = folder
            let renamed = try await code {
                last = try await remote.provider.moveItem(
                    folder.identifier, baseVersion: nil, to: .rootContainer, named: "other [x]",
                    operation: Remote.operation())
            }
            #expect(renamed == (backEnd.movesFolders ? nil : .notSupported))
            #expect(try #require(folder.capabilities).contains(.renaming) == backEnd.movesFolders)
            #expect(try await remote.names(in: last.identifier) == ["in it.txt"])
            try await remote.provider.deleteItem(last.identifier, baseVersion: nil, recursive: true)
            #expect(try await remote.names() == [])
            #expect(try await code { _ = try await remote.provider.item(for: item.identifier) } == .noSuchItem)
        }

        @Test("a cut download resumes, and starts over for another version", arguments: backEnds)
        func resumes(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let item = try await remote.provider.createItem(
                basedOn: ItemTemplate(parent: .rootContainer, filename: "big.bin"), contents: remote.contents(bytes),
                operation: Remote.operation(), progress: TransferProgress())
            #expect(item.size == bytes.count)
            #expect(try await difference(remote.read(item.identifier), from: bytes) == nil)
            let version = try #require(item.version)
            let receiver = try PartialFile(remote.storage, Array(bytes[..<123_456]))
            _ = try await receiver.resume(remote.provider, item.identifier, at: version)
            #expect(try difference(receiver.bytes, from: bytes) == nil)
            let wrong = try PartialFile(remote.storage, [UInt8](repeating: 7, count: 1_000))
            _ = try await wrong.resume(remote.provider, item.identifier, at: ItemVersion(content: "another"))
            #expect(try difference(wrong.bytes, from: bytes) == nil)
        }

        @Test("an empty document can be stored and read", arguments: backEnds)
        func empty(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let item = try await remote.create("empty", "")
            #expect(item.size == 0)
            #expect(try await remote.read(item.identifier) == [])
            let full = try await remote.modify(item, "x", base: item.version).item
            let empty = try await remote.modify(full, "", base: full.version).item
            #expect(empty.size == 0)
        }

        @Test("a folder of many documents is listed in pages without a gap")
        func pages() async throws {
            let remote = try await Remote(.local)
            let names = (0..<2_345).map { "document \($0).txt" }
            for name in names { try Data().write(to: URL(filePath: remote.folder + "/" + name)) }
            var found: [String] = []
            var page: String?
            repeat {
                let answer = try await remote.provider.children(of: .rootContainer, page: page)
                found += answer.items.map(\.filename)
                page = answer.nextPage
            } while page != nil
            #expect(found.count == names.count)
            #expect(Set(found) == Set(names))
            #expect(
                try await code { _ = try await remote.provider.children(of: .rootContainer, page: "x") }
                    == .invalidArgument
            )
        }
    }
}
