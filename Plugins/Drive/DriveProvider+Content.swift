import DriveStore
package import FileProvider
import FoundationEssentials
import Synchronization

extension DriveProvider {
    /// The version that an identifier shows.
    private func content(_ identifier: ItemIdentifier, _ tree: DriveTree) throws -> ContentVersion {
        let version: DriveIdentifier?
        if let conflict = DriveItems.conflict(identifier) {
            version = conflict.version
        } else {
            version = DriveItems.item(identifier).flatMap { tree.current[$0] }
        }
        guard DriveItems(tree: tree).item(for: identifier) != nil, let version,
            let content = tree.versions[version]?.content
        else { throw FileProviderError(.noSuchItem, "The document is not in the drive any more.") }
        return content
    }

    /// Writes the content of a document, from where an interrupted download of the same version ended.
    package func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        let device = try device()
        let tree = await device.tree
        let content = try content(identifier, tree)
        let isSame = start?.version.content == content.version.description
        let offset = isSame ? min(start?.offset ?? 0, content.size) : 0
        try destination.begin(at: offset)
        let done = Atomic(offset)
        do {
            try await device.read(content.version, offset..<content.size) { bytes in
                try destination.write(bytes)
                let now = done.wrappingAdd(bytes.count, ordering: .relaxed).newValue
                progress.note(completed: now, total: content.size)
            }
        } catch let error as DriveError {
            throw Self.error(error)
        }
        guard let item = DriveItems(tree: tree).item(for: identifier) else {
            throw FileProviderError(.noSuchItem, "The document is not in the drive any more.")
        }
        return item
    }

    /// Writes a part of a version: only the chunks that it touches are fetched.
    package func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        let device = try device()
        let content = try content(identifier, await device.tree)
        guard version.content == content.version.description else {
            throw FileProviderError(.versionOutOfDate, "The document has another version.")
        }
        destination.confirm(version)
        do {
            try await device.read(content.version, range) { bytes in
                try bytes.withUnsafeBytes { try destination.writeBlocking($0) }
            }
        } catch let error as DriveError {
            throw Self.error(error)
        }
        return PartialContent(version: version, totalBytes: content.size)
    }
}
