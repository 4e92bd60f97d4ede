import Access
import DocentInterfaces
import HostCore
import HostServices
import Rights
import Saving
import Varlink

/// Moving and deleting items and making folders on the wire: items that were granted to a client (Documents), and items
/// that its user names (Picker; refused to a confined client, I1).
enum MoveHarness {
    static func add(
        toDocuments table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService,
        writes: WriteService, mover: ItemMover
    ) {
        typealias Interface = DocumentsInterface
        table.call(Interface.Move.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = documents.key(parameters.reference)
            try await mover.access.require(session, key, .readWrite, for: "move")
            let folder =
                if let parent = parameters.parent {
                    try await documents.used(session, parent, .readWrite, for: "move into")
                } else {
                    nil as ItemKey?
                }
            if let folder { try await mover.access.require(session, folder, .readWrite, for: "move into") }
            let item = try await writes.cancellable(parameters.operation, session) { [folder] in
                try await mover.move(
                    session, key, to: folder, name: parameters.name, operation: parameters.operation,
                    claim: parameters.claim)
            }
            return Reply(.init(item: await mover.access.told(session, item)))
        }
        table.call(Interface.Delete.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = documents.key(parameters.reference)
            try await mover.access.require(session, key, .readWrite, for: "delete")
            let done = try await writes.cancellable(parameters.operation, session) {
                try await mover.delete(
                    session, key, version: parameters.version, isRecursive: parameters.recursive == true,
                    operation: parameters.operation, claim: parameters.claim)
            }
            return Reply(.init(trashed: done == .trashed, finalDate: done.finalDate))
        }
    }

    static func add(
        toPicker table: inout MethodTable, sessions: SessionRegistry, picker: PickerService, writes: WriteService
    ) {
        typealias Interface = PickerInterface
        table.call(Interface.MoveItem.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let item = try await writes.cancellable(parameters.operation, session) {
                try await picker.move(
                    session, parameters.location, to: parameters.folder, name: parameters.name,
                    operation: parameters.operation)
            }
            return Reply(.init(item: item))
        }
        table.call(Interface.DeleteItem.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let trash = try TrashUse(parameters.trash)
            let done = try await writes.cancellable(parameters.operation, session) {
                try await picker.delete(
                    session, parameters.location, isRecursive: parameters.recursive == true, trash: trash,
                    operation: parameters.operation)
            }
            return Reply(.init(trashed: done == .trashed, finalDate: done.finalDate))
        }
        table.call(Interface.MakeFolder.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let item = try await writes.cancellable(parameters.operation, session) {
                try await picker.makeFolder(
                    session, in: parameters.folder, name: parameters.name, operation: parameters.operation)
            }
            return Reply(.init(item: item))
        }
    }
}
