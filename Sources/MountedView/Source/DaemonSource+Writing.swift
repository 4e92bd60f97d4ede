import DocentInterfaces
package import Documents
import Glibc
import Varlink

extension DaemonSource {
    package func edit(
        _ reference: DocumentReference, isEmptied: Bool, base: String?, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDraft {
        try await withRight(to: reference) { () async throws(DocumentsError) in
            DaemonDraft(
                try await WriteSession.begin(
                    reference, replacing: isEmptied, base: base, for: asking, client: client))
        }
    }

    package func create(
        _ name: String, in folder: DocumentReference
    ) async throws(DocumentsError) -> any SourceDraft {
        try await withRight(to: folder) { () async throws(DocumentsError) in
            DaemonDraft(try await WriteSession.create(name, in: folder, client: client), isNew: true)
        }
    }

    package func makeFolder(
        _ name: String, in folder: DocumentLocation
    ) async throws(DocumentsError) -> ViewItem {
        let reply = try await client.call(
            PickerInterface.MakeFolder.self,
            .init(folder: folder.wire, name: name, operation: OperationIdentifier.make()))
        return ViewItem(DocumentItem(reply.value.item))
    }

    package func remove(_ location: DocumentLocation) async throws(DocumentsError) {
        _ = try await client.call(
            PickerInterface.DeleteItem.self, .init(location: location.wire, operation: OperationIdentifier.make()))
    }

    package func move(
        _ location: DocumentLocation, to folder: DocumentLocation?, named name: String?
    ) async throws(DocumentsError) -> ViewItem {
        let reply = try await client.call(
            PickerInterface.MoveItem.self,
            .init(
                location: location.wire, folder: folder?.wire, name: name, operation: OperationIdentifier.make()))
        return ViewItem(DocumentItem(reply.value.item))
    }
}

/// A write session of the daemon.
final class DaemonDraft: SourceDraft {
    private let session: WriteSession

    let isNew: Bool

    init(_ session: WriteSession, isNew: Bool = false) {
        self.session = session
        self.isNew = isNew
    }

    var isOutdated: Bool { session.isOutdated }

    func descriptor() throws(DocumentsError) -> CInt {
        let copy = fcntl(session.descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else {
            throw DocumentsError(.failed, "The staged file cannot be used: \(String(cString: strerror(errno))).")
        }
        return copy
    }

    func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
        if let modified {
            _ = try? await session.client.call(
                DocumentsInterface.StageAttributes.self,
                .init(operation: session.operation, modificationDate: modified))
        }
        return ViewItem(try await session.commit())
    }

    func abandon() async { _ = try? await session.abandon() }
}
