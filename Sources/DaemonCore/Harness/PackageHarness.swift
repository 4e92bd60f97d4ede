import DocentInterfaces
package import HostCore
package import HostServices
import Rights
package import Saving
import Storage
package import Varlink

/// `BeginPackage` and `StageElement` on the wire. `CommitWrite`, `AbandonWrite` and `Outcome` are shared with other
/// writing.
package enum PackageHarness {
    private typealias Interface = DocumentsInterface

    /// Adds the methods to the table of the interface.
    package static func add(
        to table: inout MethodTable, sessions: SessionRegistry, documents: DocumentService, packages: PackageService
    ) {
        table.call(Interface.BeginPackage.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let key = try await documents.used(session, parameters.reference, .readWrite, for: "write")
            let begun: PackageSession
            if let name = parameters.name {
                begun = try await packages.begin(
                    session, new: name, contentType: parameters.contentType, in: key,
                    operation: parameters.operation)
            } else {
                begun = try await packages.begin(
                    session, key, isReplacing: parameters.replacing, operation: parameters.operation,
                    claim: parameters.claim)
            }
            return Reply(.init(elements: try elements(begun, key), baseVersion: begun.baseVersion))
        }
        table.call(Interface.StageElement.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let file = try parameters.file.map { OpenDescriptor(owning: try call.descriptor($0).release()) }
            try await packages.stage(session, parameters.operation, parameters.path, try change(parameters, file))
            return Reply(.init())
        }
        addAttributes(to: &table, sessions: sessions, packages: packages)
    }

    private static func addAttributes(
        to table: inout MethodTable, sessions: SessionRegistry, packages: PackageService
    ) {
        table.call(Interface.StageAttributes.self, changesState: true) { parameters, call in
            let session = try sessions.session(call.connection)
            let thumbnail = try parameters.thumbnail.map {
                OpenDescriptor(owning: try call.descriptor($0).release())
            }
            try await packages.stageAttributes(
                session, parameters.operation,
                Wire.ItemMetadata(
                    attributes: parameters.attributes, creationDate: parameters.creationDate,
                    modificationDate: parameters.modificationDate, hasHiddenExtension: parameters.hasHiddenExtension),
                thumbnail: thumbnail)
            return Reply(.init())
        }
    }

    private static func elements(_ begun: PackageSession, _ key: ItemKey) throws -> [Wire.PackageElement] {
        let base = begun.elements
        // If there are too many elements for a reply, their references are omitted first: `List` returns them.
        for hasReferences in [true, false] {
            let size = base.reduce(0) { sum, element in
                let own = 80 + 2 * element.path.text.utf8.count + (element.version?.utf8.count ?? 0)
                let reference =
                    60 + key.provider.utf8.count + key.domain.utf8.count + (element.identifier?.utf8.count ?? 0)
                return sum + own + (hasReferences ? reference : 0)
            }
            guard size <= PackagePublisher.room else { continue }
            return base.map { element in
                Wire.PackageElement(
                    path: element.path.text, isFolder: element.isFolder, size: element.size.map(Int.init),
                    version: element.version,
                    reference: hasReferences ? element.identifier.map { key.sibling($0).reference } : nil)
            }
        }
        throw Failure(
            .notSupported, "The names of the package's \(base.count) elements do not fit into one message.",
            suggestion: "Keep its content in an ordinary folder.")
    }

    private static func change(
        _ parameters: Interface.StageElement.Parameters, _ file: OpenDescriptor?
    ) throws(Failure) -> PackageService.Change {
        var changes: [PackageService.Change] = []
        if let file { changes.append(.content(file)) }
        if parameters.folder == true { changes.append(.folder) }
        if parameters.removed == true { changes.append(.removed) }
        if let from = parameters.from { changes.append(.kept(from: from)) }
        guard let change = changes.first, changes.count == 1 else {
            throw Failure(
                .invalidArgument, "An element is staged with exactly one of `file`, `folder`, `removed` and `from`.",
                suggestion: "Call StageElement once for each change.")
        }
        return change
    }
}
