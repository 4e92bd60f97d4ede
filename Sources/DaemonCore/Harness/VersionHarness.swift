import Access
import DocentInterfaces
import HostCore
import HostServices
import Rights
import Saving
import Storage
import Varlink

/// The versions of granted documents, on the wire.
enum VersionHarness {
    private typealias Interface = DocumentsInterface

    static func add(
        to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService, versions: DocumentVersions,
        writes: WriteService
    ) {
        table.call(Interface.Versions.self) { parameters, call in
            let session = try sessions.session(call.connection)
            // Who asks only for conflicts learns them without a question to the provider.
            let isUnresolved = parameters.unresolved == true
            let key =
                isUnresolved
                ? documents.key(parameters.reference)
                : try await documents.used(session, parameters.reference, .read, for: "list the versions of")
            let page = try await versions.list(
                session, key, isUnresolved: isUnresolved, isLocal: parameters.local == true, page: parameters.page)
            return Reply(.init(versions: page.versions, nextPage: page.nextPage, missing: page.missing))
        }
        table.stream(
            Interface.OpenVersion.shortName, requiresMore: false, Interface.OpenVersion.Parameters.self
        ) { parameters, call, sink in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(session, parameters.reference, .read, for: "open a version of")
            let (updates, continuation) = AsyncStream.makeStream(
                of: Interface.OpenVersion.Reply.self, bufferingPolicy: .bufferingNewest(1))
            let wantsMore = call.wantsMore
            // Progress that is not read in time is dropped; it never delays the transfer.
            let teller = Task { for await update in updates where wantsMore { try await sink.send(Reply(update)) } }
            defer { teller.cancel() }
            let opened: (version: Wire.DocumentVersion, file: OpenDescriptor)
            do {
                defer { continuation.finish() }
                opened = try await versions.open(
                    session, key, parameters.version, path: parameters.path
                ) { completed, total in
                    continuation.yield(.init(completedBytes: completed, totalBytes: total))
                }
            }
            // The final reply must come after all replies of the stream.
            _ = await teller.result
            return Reply(
                Interface.OpenVersion.Reply(version: opened.version, file: 0),
                descriptors: try DescriptorList(opened.file))
        }
        table.call(Interface.VersionElements.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(session, parameters.reference, .read, for: "open a version of")
            let page = try await versions.elements(session, key, parameters.version, page: parameters.page)
            return Reply(.init(elements: page.elements, nextPage: page.nextPage))
        }
        table.call(Interface.AddVersion.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let file = OpenDescriptor(owning: try call.descriptor(parameters.file).release())
            let key = try await documents.used(session, parameters.reference, .readWrite, for: "add a version of")
            let version = try await versions.add(
                session, key, from: file, operation: parameters.operation, name: parameters.name,
                modified: parameters.modificationDate)
            return Reply(.init(version: version))
        }
        table.call(Interface.RestoreVersion.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(session, parameters.reference, .readWrite, for: "write")
            let item = try await versions.restore(
                session, key, parameters.version, operation: parameters.operation, claim: parameters.claim)
            return Reply(.init(item: item))
        }
        table.call(Interface.RemoveVersions.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(
                session, parameters.reference, .readWrite, for: "remove a version of")
            return Reply(.init(removed: try await versions.remove(session, key, parameters.versions)))
        }
        table.call(Interface.ResolveConflict.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            try await versions.settle(session, documents.key(parameters.reference), parameters.versions)
            return Reply(.init())
        }
    }
}
