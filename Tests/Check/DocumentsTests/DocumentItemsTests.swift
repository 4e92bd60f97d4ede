import DocentInterfaces
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Folders that are listed page by page.
@Suite struct DocumentItemsTests {
    private typealias Interface = PickerInterface

    private static let folder = DocumentLocation(provider: "org.example.Cloud", path: "/reports")

    /// A daemon with three pages of two items, which notes each request.
    ///
    /// - Parameter answer: called before each reply, with the number of the page.
    private static func daemon(
        _ answer: @escaping @Sendable (Int, FakeDaemon) async throws -> Void = { _, _ in }
    ) throws -> FakeDaemon {
        try FakeDaemon(others: { daemon in
            var table = MethodTable(interface: Interface.name, description: Interface.description)
            table.call(Interface.ListFolder.shortName, Interface.ListFolder.Parameters.self) {
                [unowned daemon] parameters, _ in
                let page = parameters.page.flatMap { Int($0) } ?? 0
                daemon.note("page \(page)")
                try await answer(page, daemon)
                let items = ["\(page)a", "\(page)b"].map { name in
                    var item = FakeDaemon.item()
                    item.name = name
                    return item
                }
                return Reply(Interface.ListFolder.Reply(items: items, nextPage: page < 2 ? "\(page + 1)" : nil))
            }
            return [table]
        }) { _, _ in }
    }

    private static func items(_ daemon: FakeDaemon) -> DocumentItems.AsyncIterator {
        DocumentItems(client: daemon.client(), folder: folder).makeAsyncIterator()
    }

    @Test("all items come in order, each page is requested once, and paths are those of the folder's items")
    func all() async throws {
        let daemon = try Self.daemon()
        var items = Self.items(daemon)
        var paths: [String?] = []
        while let item = try await items.next() { paths.append(item.path) }
        #expect(paths == ["0a", "0b", "1a", "1b", "2a", "2b"].map { "/reports/" + $0 })
        #expect(daemon.log == ["page 0", "page 1", "page 2"])
    }

    @Test("the next page is requested while the current one is read, and not for the first item alone")
    func ahead() async throws {
        let daemon = try Self.daemon()
        var items = Self.items(daemon)
        #expect(try await items.next()?.name == "0a")
        #expect(daemon.log == ["page 0"])
        #expect(try await items.next()?.name == "0b")
        #expect(await eventually { daemon.log == ["page 0", "page 1"] })
        #expect(try await items.next()?.name == "1a")
        #expect(daemon.log == ["page 0", "page 1"])
    }

    @Test("a page that failed while it was requested early throws when it is reached, and can be requested again")
    func failure() async throws {
        let failed = Mutex(false)
        let daemon = try Self.daemon { page, _ in
            let fails = failed.withLock { failed in
                defer { failed = failed || page == 1 }
                return page == 1 && !failed
            }
            if fails { throw Failure(.unavailable, "The server does not answer.") }
        }
        var items = Self.items(daemon)
        #expect(try await items.next()?.name == "0a")
        #expect(try await items.next()?.name == "0b")
        let error = await #expect(throws: DocumentsError.self) { try await items.next() }
        #expect(error?.code == .unavailable)
        #expect(try await items.next()?.name == "1a")
        #expect(daemon.log.prefix(3) == ["page 0", "page 1", "page 1"])
    }

    @Test("T3: a page is cancelled when its reader is cancelled, and when it stops reading", arguments: [true, false])
    func cancelled(waits: Bool) async throws {
        let daemon = try Self.daemon { page, daemon in
            guard page == 1 else { return }
            do { try await Task.sleep(for: .seconds(600)) } catch {
                daemon.note("hung up")
                throw error
            }
        }
        let client = daemon.client()
        let task = Task {
            var items = DocumentItems(client: client, folder: Self.folder).makeAsyncIterator()
            _ = try await items.next()
            _ = try await items.next()
            #expect(await eventually { daemon.log == ["page 0", "page 1"] })
            if waits { _ = try await items.next() }
        }
        if waits {
            #expect(await eventually { daemon.log == ["page 0", "page 1"] })
            task.cancel()
            let error = await #expect(throws: DocumentsError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        } else {
            try await task.value
        }
        #expect(await eventually { daemon.log == ["page 0", "page 1", "hung up"] })
    }

    @Test("D3: a listing continues with the next daemon when its own dies between two pages")
    func anotherDaemon() async throws {
        let daemon = try Self.daemon { page, daemon in if page == 1, daemon.life == 1 { try daemon.die() } }
        var items = Self.items(daemon)
        var names: [String] = []
        while let item = try await items.next() { names.append(item.name) }
        #expect(names == ["0a", "0b", "1a", "1b", "2a", "2b"])
        #expect(daemon.life == 2)
    }
}
