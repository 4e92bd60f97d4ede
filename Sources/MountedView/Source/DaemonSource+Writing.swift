import DocentInterfaces
package import Documents
import FoundationEssentials
import Glibc
import Synchronization
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

    package func finish(_ operation: String) async throws(DocumentsError) -> ViewItem? {
        try await client.finish(operation)
    }

    package func makeFolder(
        _ name: String, in folder: DocumentLocation
    ) async throws(DocumentsError) -> ViewItem {
        let reply = try await client.call(
            PickerInterface.MakeFolder.self,
            .init(folder: folder.wire, name: name, operation: OperationIdentifier.make()))
        return ViewItem(DocumentItem(reply.value.item))
    }

    package func remove(_ location: DocumentLocation, isFinal: Bool) async throws(DocumentsError) {
        _ = try await client.call(
            PickerInterface.DeleteItem.self,
            .init(
                location: location.wire, operation: OperationIdentifier.make(), trash: isFinal ? "temporary" : nil))
    }

    package func pin(_ location: DocumentLocation, _ isPinned: Bool) async throws(DocumentsError) {
        _ = try await client.call(
            AdministrationInterface.Pin.self, .init(location: location.wire, pinned: isPinned))
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
    private let attributes = Mutex<[String: [UInt8]]>([:])

    let isNew: Bool

    init(_ session: WriteSession, isNew: Bool = false) {
        self.session = session
        self.isNew = isNew
    }

    var isOutdated: Bool { session.isOutdated }
    var operation: String? { session.operation }

    func descriptor() throws(DocumentsError) -> CInt {
        let copy = fcntl(session.descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else {
            throw DocumentsError(.failed, "The staged file cannot be used: \(String(cString: strerror(errno))).")
        }
        return copy
    }

    func attach(_ attributes: [String: [UInt8]]) { self.attributes.withLock { $0 = attributes } }

    func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
        let attributes = attributes.withLock { $0 }.mapValues { Data($0).base64EncodedString() }
        if modified != nil || !attributes.isEmpty {
            _ = try? await session.client.call(
                DocumentsInterface.StageAttributes.self,
                .init(
                    operation: session.operation, attributes: attributes.isEmpty ? nil : attributes,
                    modificationDate: modified))
        }
        return ViewItem(try await session.commit())
    }

    func abandon() async { _ = try? await session.abandon() }
}
