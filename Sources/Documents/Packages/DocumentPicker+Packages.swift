import DocentInterfaces
import Glibc

extension DocumentPicker {
    /// Import mode for a package: makes a private copy of the folder and everything in it. The original stays
    /// unchanged.
    ///
    /// The copy is made beside its destination and appears there when it is complete. No right remains.
    ///
    /// - Parameters:
    ///   - location: the package.
    ///   - path: the destination; it must not exist.
    /// - Throws: ``DocumentsError``: `conflict` when something already exists there, `notSupported` for a package with
    ///   symbolic links.
    public func importPackage(at location: DocumentLocation, to path: String) async throws -> DocumentItem {
        try await withRight(to: location, .read, types: validTypes) { reference in
            let coordinator = FileCoordinator(client: client)
            return try await coordinator.coordinate(readingItemAt: reference) { access in
                let folder = try PackageFolder(new: path)
                let reader = access.package
                for element in try await reader.elements().sorted(by: { $0.path < $1.path }) {
                    if element.isFolder {
                        try folder.makeFolder(element.path)
                    } else {
                        let content = ElementContent.HeldFile(try await reader.openForReading(element))
                        try await DocumentFiles.offThread { try folder.write(content.descriptor, at: element.path) }
                    }
                }
                try folder.publish()
                return access.item
            }
        }
    }

    /// Export mode for a package: copies a local directory, whose name must be that of a package, to a folder of a
    /// provider. The directory stays, and no right remains.
    ///
    /// - Parameters:
    ///   - path: the directory; it may contain only files and directories.
    ///   - folder: the folder for the copy.
    ///   - name: the name of the copy; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - progress: called from time to time with the bytes of the elements copied so far, on the caller's task.
    /// - Throws: ``DocumentsError``: `invalidArgument` for an ordinary directory, `conflict` when the name is taken.
    public func exportPackage(
        from path: String, to folder: DocumentLocation, name: String, contentType: String? = nil,
        progress: (ExportProgress) -> Void = { _ in }
    ) async throws -> DocumentItem {
        try await withRight(to: folder, .readWrite, types: ["public.folder"]) { reference in
            let session = try await PackageWriteSession.create(
                name, in: reference, contentType: contentType, client: client)
            do {
                let source = try PackageFolder(reading: path)
                let entries = try await DocumentFiles.offThread { try source.entries() }
                let total = entries.reduce(0) { $0 + $1.size }
                var completed = 0
                for entry in entries {
                    progress(ExportProgress(stage: .copying, completedBytes: completed, totalBytes: total))
                    if entry.isFolder {
                        try await session.makeFolder(at: entry.path)
                    } else {
                        let content = ElementContent.HeldFile(try source.open(entry.path))
                        try await session.write(contentsOf: content.descriptor, at: entry.path)
                    }
                    completed += entry.size
                }
                progress(ExportProgress(stage: .publishing, completedBytes: 0))
                return try await session.commit()
            } catch {
                if session.isOpen { try? await session.abandon() }
                throw error
            }
        }
    }

    /// Export mode for a version of a package: makes a package of it in a folder of a provider. The version stays, and
    /// no right to the new package remains.
    ///
    /// - Parameters:
    ///   - version: a version of a package; the client has the right to read it.
    ///   - folder: the folder for the copy.
    ///   - name: the name of the copy; nothing is ever replaced.
    /// - Throws: ``DocumentsError``: `conflict` when the name is taken; `notFound` if the content of an element is
    ///   neither kept nor in the present package.
    public func exportPackage(
        from version: FileVersion, to folder: DocumentLocation, name: String
    ) async throws -> DocumentItem {
        try await withRight(to: folder, .readWrite, types: ["public.folder"]) { reference in
            let elements = try await version.elements()
            let session = try await PackageWriteSession.create(name, in: reference, client: client)
            do {
                var source = VersionElementSource(version)
                for element in elements {
                    if element.isFolder {
                        try await session.makeFolder(at: element.path)
                    } else {
                        let content = ElementContent.HeldFile(try await source.open(element))
                        try await session.write(contentsOf: content.descriptor, at: element.path)
                    }
                }
                return try await session.commit()
            } catch {
                if session.isOpen { try? await session.abandon() }
                throw error
            }
        }
    }

    /// Creates a package from a tree in memory.
    func createPackage(
        _ wrapper: FileWrapper, in folder: DocumentLocation, name: String, attributes: DocumentAttributes
    ) async throws -> DocumentItem {
        try await withRight(to: folder, .readWrite, types: ["public.folder"]) { reference in
            let session = try await PackageWriteSession.create(name, in: reference, client: client)
            return try await Self.publish(wrapper, attributes, session)
        }
    }

    /// Stages and commits a tree; if that fails, discards what was staged.
    static func publish(
        _ wrapper: FileWrapper, _ attributes: DocumentAttributes, _ session: PackageWriteSession
    ) async throws -> DocumentItem {
        do {
            try await wrapper.write(to: session)
            try await session.setAttributes(attributes)
            return try await session.commit()
        } catch {
            if session.isOpen { try? await session.abandon() }
            throw error
        }
    }

    /// Runs the body with a right to the item at a location. A right that did not exist before is given up afterwards.
    private func withRight<Result: Sendable>(
        to location: DocumentLocation, _ access: AccessMode, types: [String]?,
        _ body: (DocumentReference) async throws -> Result
    ) async throws -> Result {
        let known = try await item(at: location).reference
        // A client that can describe the item already has a right to it, and keeps it.
        let had = try? await client.document(known).item()
        var picker = self
        picker.validTypes = types
        let opened = try await picker.openDocument(at: location, access: access, persistence: .transient)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(opened.reference)) } catch { result = .failure(error) }
        opened.stopAccessing()
        if had == nil {
            _ = try? await client.call(
                DocumentsInterface.NarrowAccess.self, .init(reference: opened.reference.wire))
        }
        return try result.get()
    }
}
