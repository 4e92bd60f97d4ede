import CLinux
import DocentInterfaces
import FileProviderValidation
import Varlink

/// The reading half of a ``ClientBridge``.
struct BridgedReading: Sendable {
    let provider: EnabledProvider

    func add(to table: inout MethodTable) {
        typealias Interface = FileProviderInterface
        table.bridge(Interface.Item.self) { parameters, _ in .init(item: try await item(parameters.identifier)) }
        table.bridge(Interface.Child.self) { parameters, _ in
            .init(item: try await child(parameters.name, of: parameters.parent))
        }
        table.bridge(Interface.Children.self) { parameters, _ in
            let page = try await provider.client.call(
                DocumentsInterface.List.self,
                .init(reference: provider.reference(parameters.parent), page: parameters.page)
            ).value
            return .init(items: page.items.map(wire), nextPage: page.nextPage)
        }
        table.bridgeStream(Interface.Fetch.self) { parameters, descriptors in
            let destination = try descriptors.take(parameters.destination)
            let opened = try await provider.client.call(
                DocumentsInterface.Open.self, .init(reference: provider.reference(parameters.identifier)))
            let source = try opened.descriptors.take(opened.value.file)
            let count = try await Self.copy(source, to: destination)
            return .init(item: wire(opened.value.item), completedBytes: count, totalBytes: count, offset: 0)
        }
    }

    /// An item by its identifier.
    func item(_ identifier: String) async throws -> Wire.ProviderItem {
        wire(
            try await provider.client.call(
                DocumentsInterface.Info.self, .init(reference: provider.reference(identifier))
            ).value.item)
    }

    /// An item in the form in which a provider reports it.
    func wire(_ item: Wire.Item) -> Wire.ProviderItem {
        Wire.ProviderItem(
            identifier: item.reference.identifier, parent: item.parent ?? "", name: item.name,
            contentType: item.contentType, size: item.size, modificationDate: item.modificationDate,
            creationDate: item.creationDate, isFolder: item.isFolder, version: item.version,
            isDownloaded: item.isDownloaded, isUploaded: item.isUploaded, thumbnail: item.thumbnail,
            symbolicLinkTarget: item.symbolicLinkTarget, ignoresCase: item.ignoresCase)
    }

    // A client looks a name up in the listing, as a person does.
    private func child(_ name: String, of parent: String) async throws -> Wire.ProviderItem {
        var page: String?
        for _ in 0..<10_000 {
            let listed = try await provider.client.call(
                DocumentsInterface.List.self, .init(reference: provider.reference(parent), page: page)
            ).value
            if let found = listed.items.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return wire(found) }
            guard let next = listed.nextPage else { break }
            page = next
        }
        throw Failure(.notFound, "There is no \"\(name)\" in that folder.")
    }

    /// Copies a file from its start into another one.
    ///
    /// - Returns: how many bytes were copied.
    static func copy(_ source: consuming OwnedDescriptor, to target: consuming OwnedDescriptor) async throws -> Int {
        let (from, to) = (source.release(), target.release())
        return try await Blocking.run {
            defer {
                clinux_close(from)
                clinux_close(to)
            }
            guard clinux_ftruncate(to, 0) >= 0 else { throw Failure(.noSpace, "The file cannot be emptied.") }
            var buffer = [UInt8](repeating: 0, count: 1 << 17)
            var position = 0
            while true {
                let count = clinux_pread(from, &buffer, buffer.count, Int64(position))
                guard count >= 0 else { throw Failure(.failed, "The content cannot be read (\(-count)).") }
                if count == 0 { return position }
                var written = 0
                while written < count {
                    let step = buffer.withUnsafeBytes { bytes in
                        bytes.baseAddress.map {
                            clinux_pwrite(to, $0 + written, count - written, Int64(position + written))
                        } ?? 0
                    }
                    guard step > 0 else { throw Failure(.noSpace, "The content cannot be written (\(-step)).") }
                    written += step
                }
                position += count
            }
        }
    }
}
