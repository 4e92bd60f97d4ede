import DocentInterfaces
package import Documents
import Glibc
import Varlink

extension DaemonSource {
    package func edit(
        _ location: DocumentLocation, isEmptied: Bool
    ) async throws(DocumentsError) -> any SourceDraft {
        let document = try await picker.openDocument(at: location, access: .readWrite, persistence: .transient)
        return DaemonDraft(
            try await WriteSession.begin(document.reference, replacing: isEmptied, client: client), document)
    }

    package func create(
        _ name: String, in folder: DocumentLocation
    ) async throws(DocumentsError) -> any SourceDraft {
        let place = try await folderPicker.openDocument(at: folder, access: .readWrite, persistence: .transient)
        return DaemonDraft(try await WriteSession.create(name, in: place.reference, client: client), place)
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
private final class DaemonDraft: SourceDraft {
    private let session: WriteSession
    // The right lasts as long as it is in use.
    private let document: SecurityScopedDocument

    init(_ session: WriteSession, _ document: SecurityScopedDocument) {
        self.session = session
        self.document = document
    }

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
