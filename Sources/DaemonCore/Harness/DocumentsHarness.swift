package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import HostServices
import RemoteDocuments
import Rights
package import Saving
import Storage
package import Varlink

/// `org.docent.Documents` on the wire: decodes calls, uses the services, encodes replies.
package enum DocumentsHarness {
    /// The method table of the interface.
    package static func table(
        sessions: SessionRegistry, documents: DocumentService, writes: WriteService,
        coordination: CoordinationService, news: ItemNews, mover: ItemMover, packages: PackageService,
        serving: Wire.Serving
    ) -> MethodTable {
        typealias Interface = DocumentsInterface
        var table = MethodTable(
            interface: Interface.name, description: Interface.description, authority: .everyone)
        sessionMethods(&table, sessions, documents, writes, serving)
        table.quick(Interface.Open.shortName) { call in
            let session = try sessions.session(call.connection)
            let parameters = try OpenCodec.parameters(call.parameters)
            return try documents.openQuickly(
                session, documents.key(parameters.reference), lease: parameters.lease == true
            )
            .map(Self.reply)
        } otherwise: { call in
            let session = try sessions.session(call.connection)
            let parameters = try OpenCodec.parameters(call.parameters)
            let key = documents.key(parameters.reference)
            let other = DownloadCause.OtherProgram(path: parameters.program, process: parameters.process)
            if parameters.partial == true, let parts = try await documents.openParts(session, key, for: other) {
                return reply(parts)
            }
            return reply(try await documents.open(session, key, lease: parameters.lease == true, for: other))
        }
        table.call(Interface.Info.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let asked = Date.now
            let item = try await documents.info(session, documents.key(parameters.reference))
            return Reply(.init(item: item, remembered: try await documents.remembered(item, asked: asked)))
        }
        table.call(Interface.Usage.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let space = try await documents.space(session, documents.key(parameters.reference))
            return Reply(
                .init(totalBytes: space.total, usedBytes: space.used, availableBytes: space.available))
        }
        table.call(Interface.List.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let page = try await documents.list(session, documents.key(parameters.reference), page: parameters.page)
            return Reply(.init(items: page.items, nextPage: page.nextPage, remembered: page.remembered))
        }
        table.call(Interface.Import.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let copy = try await writes.cancellable(parameters.operation, session) {
                try await documents.importGranted(session, documents.key(parameters.reference))
            }
            return Reply(
                .init(item: copy.item, path: copy.path, file: 0), descriptors: try DescriptorList(copy.file))
        }
        BookmarkHarness.add(to: &table, sessions: sessions, documents: documents)
        writeMethods(&table, sessions, documents, writes)
        CoordinationHarness.add(
            to: &table, sessions: sessions, documents: documents, writes: writes, coordination: coordination,
            news: news)
        MoveHarness.add(
            toDocuments: &table, sessions: sessions, documents: documents, writes: writes, mover: mover)
        PackageHarness.add(to: &table, sessions: sessions, documents: documents, packages: packages)
        DownloadHarness.add(to: &table, sessions: sessions, documents: documents, writes: writes)
        RangeHarness.add(to: &table, sessions: sessions, documents: documents)
        return table
    }

    private static func sessionMethods(
        _ table: inout MethodTable, _ sessions: SessionRegistry, _ documents: DocumentService, _ writes: WriteService,
        _ serving: Wire.Serving
    ) {
        typealias Interface = DocumentsInterface
        table.immediate(Interface.OpenSession.shortName, changesState: true, Interface.OpenSession.Parameters.self) {
            parameters, call in
            let session = try sessions.open(call.connection, stated: parameters.client)
            if parameters.leavesNoTrace == true { session.leaveNoTrace() }
            // A confined program does not learn where the user's files are.
            return Reply(
                Interface.OpenSession.Reply(
                    token: session.token, principal: session.principal.wire,
                    serving: session.principal.isConfined ? nil : serving))
        }
        table.immediate(Interface.JoinSession.shortName, changesState: true, Interface.JoinSession.Parameters.self) {
            parameters, call in
            let session = try sessions.join(call.connection, token: parameters.token)
            return Reply(Interface.JoinSession.Reply(principal: session.principal.wire))
        }
        table.immediate(Interface.ReleaseLease.shortName, changesState: true, Interface.ReleaseLease.Parameters.self) {
            parameters, call in
            try sessions.session(call.connection).existingLeases?.release(slot: parameters.slot)
            return Reply(Interface.ReleaseLease.Reply())
        }
        table.immediate(
            Interface.StopAccessing.shortName, changesState: true, Interface.StopAccessing.Parameters.self
        ) { parameters, call in
            documents.stopAccessing(
                try sessions.session(call.connection), try documents.storableKey(parameters.reference),
                started: parameters.started == true)
            return Reply(Interface.StopAccessing.Reply())
        }
        table.call(Interface.Cancel.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(.init(found: writes.cancel(parameters.operation, session)))
        }
    }

    private static func writeMethods(
        _ table: inout MethodTable, _ sessions: SessionRegistry, _ documents: DocumentService, _ writes: WriteService
    ) {
        typealias Interface = DocumentsInterface
        table.call(Interface.Outcome.self) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(try await writes.lastOutcome(session, parameters.operation))
        }
        table.call(Interface.BeginWrite.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(session, parameters.reference, .readWrite, for: "write")
            if let name = parameters.name {
                let file = try await writes.begin(
                    session, new: name, contentType: parameters.contentType, in: key, operation: parameters.operation,
                    claim: parameters.claim)
                return Reply(.init(file: 0), descriptors: try DescriptorList(file))
            }
            let begun = try await writes.begin(
                session, key, replacing: parameters.replacing, base: parameters.base, operation: parameters.operation,
                claim: parameters.claim, for: .init(path: parameters.program, process: parameters.process))
            return Reply(
                .init(file: 0, baseVersion: begun.baseVersion, outdated: begun.isOutdated ? true : nil),
                descriptors: try DescriptorList(begun.file))
        }
        table.call(Interface.CommitWrite.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            return Reply(.init(item: try await writes.commit(session, parameters.operation, claim: parameters.claim)))
        }
        table.call(Interface.AbandonWrite.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            try await writes.abandon(session, parameters.operation, keep: parameters.keep)
            return Reply(.init())
        }
        table.call(Interface.MoveFinished.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            try await writes.moveFinished(
                session, parameters.operation, removed: parameters.removed, reason: parameters.reason)
            return Reply(.init())
        }
    }

    private static func reply(_ opened: OpenedDocument) -> (json: [UInt8], DescriptorList) {
        let descriptors = DescriptorList()
        if let file = opened.file.take() { descriptors.append(OwnedDescriptor(file)) }
        guard let lease = opened.lease, let page = try? OwnedDescriptor(duplicating: lease.descriptor) else {
            let json = OpenCodec.reply(
                item: opened.json, file: 0, lease: nil, slot: nil, generation: nil, reading: opened.reading)
            return (json, descriptors)
        }
        descriptors.append(page)
        let json = OpenCodec.reply(
            item: opened.json, file: 0, lease: 1, slot: lease.slot, generation: Int(lease.generation),
            reading: opened.reading)
        return (json, descriptors)
    }
}
