import DocentInterfaces
import HostCore
package import RemoteDocuments
package import Rights
package import Storage

/// Makes one file of a package (2.2, `forUploading`): a zip archive as an unlinked, private snapshot.
package struct PackageArchiver: Sendable {
    private let gateway: DocumentGateway
    private let elements: PackageElements
    private let layout: StorageLayout
    private let worker: BlockingWorker

    package init(gateway: DocumentGateway, elements: PackageElements, layout: StorageLayout, worker: BlockingWorker) {
        self.gateway = gateway
        self.elements = elements
        self.layout = layout
        self.worker = worker
    }

    // Safe because PackageArchive is used by one call at a time, on the worker.
    private final class Box: @unchecked Sendable {
        let archive: PackageArchive
        init(_ archive: PackageArchive) { self.archive = archive }
    }

    /// Makes the zip file of a folder, open for reading. It contains one directory with the folder's name. The caller
    /// holds a reading claim, so that the content does not change meanwhile.
    ///
    /// - Throws: ``Failure``: `NotSupported` for more elements than a package may have, `Conflict` if an element
    ///   changed nevertheless; errors from reading an element.
    package func archive(_ key: ItemKey) async throws -> OpenDescriptor {
        let item = try await gateway.bare(key)
        let all = try await elements.all(of: key)
        let layout = layout
        let (file, box) = try await worker.run { _ in
            let file = try TemporaryFile.unnamed(in: Directory(path: layout.stagingDirectory))
            let archive = try PackageArchive(writingTo: file)
            try archive.addFolder(item.name)
            return (file, Box(archive))
        }
        for element in all {
            let path = item.name + "/" + element.path.text
            if element.isFolder {
                try await worker.run { _ in try box.archive.addFolder(path) }
            } else if let identifier = element.identifier {
                let content = try await gateway.content(key.sibling(identifier))
                try await worker.run { cancellation in
                    try withExtendedLifetime(content.descriptor) {
                        try box.archive.addFile(path, from: content.descriptor.number, cancellation: cancellation)
                    }
                }
            }
        }
        return try await worker.run { _ in
            try box.archive.finish()
            return try withExtendedLifetime(file) { try OpenDescriptor.reopenReadOnly(file.number) }
        }
    }
}
