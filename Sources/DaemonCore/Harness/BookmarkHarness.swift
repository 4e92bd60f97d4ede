import DocentInterfaces
import HostCore
import HostServices
import Rights
import Varlink

/// The methods of `org.docent.Documents` for bookmarks and for the use of documents.
enum BookmarkHarness {
    static func add(to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService) {
        typealias Interface = DocumentsInterface
        let bookmarks = documents.bookmarks
        table.call(Interface.StartAccessing.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(
                .init(started: try await documents.startAccessing(session, documents.key(parameters.reference))))
        }
        table.call(Interface.CreateBookmark.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let wishes = BookmarkService.Wishes(
                readOnly: parameters.readOnly == true, keys: parameters.keys ?? [],
                relativeTo: try parameters.relativeTo.map(documents.storableKey))
            let key = try await documents.used(session, parameters.reference, .read, for: "bookmark")
            return Reply(.init(bookmark: try await bookmarks.make(session, key, wishes)))
        }
        table.call(Interface.ResolveBookmark.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let found = try await bookmarks.resolve(
                session, parameters.bookmark, relativeTo: try parameters.relativeTo.map(documents.storableKey))
            return Reply(
                .init(
                    item: await documents.told(session, found.item), access: found.access.rawValue,
                    stale: found.isStale))
        }
        table.call(Interface.BookmarkValues.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let (provider, values) = try await bookmarks.values(session, parameters.bookmark)
            return Reply(
                .init(
                    provider: provider, name: values.name, contentType: values.contentType, size: values.size,
                    modificationDate: values.modificationDate, creationDate: values.creationDate, path: values.path))
        }
    }
}
