import DocentInterfaces
import FileProviderValidation
import Varlink

/// The writing half of a ``ClientBridge``. Every change is answered when the provider has it, which is what a
/// provider's own answer means.
struct BridgedWriting: Sendable {
    let provider: EnabledProvider
    // Clients that write the same document take turns, using claims.
    private let turns = ChangeTurns()
    private var reading: BridgedReading { BridgedReading(provider: provider) }

    init(provider: EnabledProvider) { self.provider = provider }

    func add(to table: inout MethodTable) {
        typealias Interface = FileProviderInterface
        table.bridgeStream(Interface.Create.self, conflict: .collision) { parameters, descriptors in
            try SeenOperations.require(fresh: parameters.operation)
            guard let content = parameters.content, !parameters.isFolder else {
                return .init(item: try await settled(makeFolder(parameters)))
            }
            let file = try descriptors.take(content)
            let item = try await write(
                file, parameters.metadata, in: provider.reference(parameters.parent),
                name: parameters.name, contentType: parameters.contentType, base: nil)
            return .init(item: try await settled(item), completedBytes: parameters.size, totalBytes: parameters.size)
        }
        table.bridgeStream(Interface.Modify.self) { parameters, descriptors in
            try SeenOperations.require(fresh: parameters.operation)
            let item = try await turns.run {
                try await write(
                    try descriptors.take(parameters.content), parameters.metadata,
                    in: provider.reference(parameters.identifier), name: nil, contentType: nil,
                    base: parameters.baseVersion)
            }
            return .init(item: try await settled(item), completedBytes: parameters.size, totalBytes: parameters.size)
        }
        table.bridge(Interface.Delete.self) { parameters, _ in
            try await delete(parameters)
            try await provider.drain()
            return .init()
        }
        table.bridge(Interface.Move.self, conflict: .collision) { parameters, _ in
            try SeenOperations.require(fresh: parameters.operation)
            try await requireCurrent(parameters)
            let item = try await provider.client.call(
                DocumentsInterface.Move.self,
                .init(
                    reference: provider.reference(parameters.identifier),
                    parent: provider.reference(parameters.parent), name: parameters.name, operation: Self.fresh())
            ).value.item
            return .init(item: try await settled(item))
        }
    }

    private func delete(_ parameters: FileProviderInterface.Delete.Parameters) async throws {
        do {
            _ = try await provider.client.call(
                DocumentsInterface.Delete.self,
                .init(
                    reference: provider.reference(parameters.identifier), version: parameters.baseVersion,
                    recursive: parameters.recursive, operation: Self.fresh()))
        } catch var failure as Failure {
            // The daemon has one code for a changed folder and for one that is not empty.
            guard failure.code == .conflict, !parameters.recursive,
                try await reading.item(parameters.identifier).isFolder
            else { throw failure }
            failure.code = .invalidArgument
            throw failure
        }
    }

    // A client states no version when it moves an item: an outdated one cannot be tested through a daemon.
    private func requireCurrent(_ parameters: FileProviderInterface.Move.Parameters) async throws {
        guard let base = parameters.baseVersion else { return }
        let current = try await reading.item(parameters.identifier).version
        guard current == base else {
            throw BridgedError.notAvailable("a client of the daemon names no version when it moves an item")
        }
    }

    private func makeFolder(_ parameters: FileProviderInterface.Create.Parameters) async throws -> Wire.Item {
        let path = try await path(of: parameters.parent)
        return try await provider.client.call(
            PickerInterface.MakeFolder.self,
            .init(folder: provider.location(path), name: parameters.name, operation: Self.fresh())
        ).value.item
    }

    // Folders are created by their path.
    func path(of identifier: String) async throws -> String {
        var names: [String] = []
        var next = identifier
        while next != ".root", next != provider.root.identifier, names.count < 200 {
            let item = try await reading.item(next)
            names.insert(item.name, at: 0)
            next = item.parent
        }
        return "/" + names.joined(separator: "/")
    }

    private func write(
        _ content: consuming OwnedDescriptor, _ metadata: Wire.ItemMetadata?,
        in place: Wire.ItemReference, name: String?, contentType: String?, base: String?
    ) async throws -> Wire.Item {
        let session = Self.fresh()
        let begun = try await provider.client.call(
            DocumentsInterface.BeginWrite.self,
            .init(reference: place, replacing: true, operation: session, name: name, contentType: contentType))
        do {
            // A save based on an outdated version keeps both versions. A client notices when it begins.
            if let base, begun.value.baseVersion != base {
                throw BridgedError.notAvailable("a client of the daemon always begins to write at the current version")
            }
            _ = try await BridgedReading.copy(content, to: begun.descriptors.take(begun.value.file))
            if let metadata {
                try await stage(metadata, session)
            }
            return try await provider.client.call(
                DocumentsInterface.CommitWrite.self, .init(operation: session)
            ).value.item
        } catch {
            _ = try? await provider.client.call(DocumentsInterface.AbandonWrite.self, .init(operation: session))
            throw error
        }
    }

    // The daemon itself refuses what no provider could keep.
    private func stage(_ metadata: Wire.ItemMetadata, _ session: String) async throws {
        do {
            _ = try await provider.client.call(
                DocumentsInterface.StageAttributes.self,
                .init(
                    operation: session, attributes: metadata.attributes, creationDate: metadata.creationDate,
                    modificationDate: metadata.modificationDate, hasHiddenExtension: metadata.hasHiddenExtension))
        } catch let failure as Failure where failure.code == .invalidArgument {
            throw BridgedError.notAvailable("the daemon itself refuses such attributes: \(failure.message)")
        }
    }

    /// Saves a new document as a client does, without waiting until the provider has it.
    func save(_ content: [UInt8], in folder: Wire.ItemReference, name: String) async throws -> Wire.Item {
        try await write(
            try ContentFile(content).shareForReading(), nil, in: folder, name: name, contentType: nil,
            base: nil)
    }

    /// An item once the provider has it.
    private func settled(_ item: Wire.Item) async throws -> Wire.ProviderItem {
        if item.isUploaded { return reading.wire(item) }
        try await provider.drain()
        return try await reading.item(item.reference.identifier)
    }

    private static func fresh() -> String { "validation-" + RandomName.make() }
}
