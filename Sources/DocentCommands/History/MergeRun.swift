import CommandConsole
import Documents
import Glibc

/// Merges a version that lost a conflict with the current content, by the user's merge tool.
struct MergeRun {
    let document: SecurityScopedDocument
    /// The identifier of the client that saves.
    let client: String

    /// Runs the tool and saves the result.
    ///
    /// - Parameters:
    ///   - conflict: what was saved here.
    ///   - base: what both sides started from; nil if that is not kept.
    /// - Returns: the document as it is now; nil if the result is its current content.
    /// - Throws: ``DocumentsError``: `conflict` if the document was changed meanwhile, or if nothing was decided.
    ///   Nothing is changed then. A result that is not saved stays in a file that standard error names.
    func merge(_ conflict: FileVersion, base: FileVersion?) async throws -> DocumentItem? {
        let folder = try MergeFolder(for: conflict.localizedName, hasBase: base != nil)
        var isKept = false
        defer { if !isKept { folder.remove() } }
        let tool = try await MergeTool.configured(in: folder)
        let before = try await stage(conflict, base, in: folder)
        let isOpen = try await folder.prepare()
        try await tool.run(in: folder)
        let result = try LocalFile(reading: folder.path(of: .merged))
        if isOpen { try requireDecided(result.descriptor, in: folder) }
        let theirs = try LocalFile(reading: folder.path(of: .theirs))
        guard try !ContentComparison.isSame(result.descriptor, theirs.descriptor) else { return nil }
        do {
            return try await HeldChange.make(as: client) { try await save(result.descriptor, over: before) }
        } catch {
            isKept = true
            StandardError.write(
                "docent: The merged content is not saved; it is in \(SafeText.escaped(folder.path(of: .merged)))\n")
            throw error
        }
    }

    /// Writes the three sides.
    ///
    /// - Returns: the document with the content that is merged.
    private func stage(
        _ conflict: FileVersion, _ base: FileVersion?, in folder: MergeFolder
    ) async throws -> DocumentItem {
        let before = try await document.item()
        for (file, version) in [(MergeFolder.File.base, base), (.mine, conflict)] {
            let source = try await version?.openForReading()
            defer { if let source { close(source) } }
            try folder.write(file, source)
        }
        let current = try await document.openForReading()
        defer { close(current) }
        try folder.write(.theirs, current)
        try Self.require(try await document.item(), unchangedSince: before)
        return before
    }

    // Git leaves marks where the two sides differ. A tool that leaves them has not merged.
    private func requireDecided(_ result: CInt, in folder: MergeFolder) throws {
        let began = try LocalFile(reading: folder.path(of: .begun))
        guard try ContentComparison.isSame(result, began.descriptor) || MergeMark.isIn(result) else { return }
        throw DocumentsError(
            .conflict, "The merge tool ended, but the two sides are not merged yet. Nothing was changed.",
            suggestion: "Run the command again, and decide about every place that the tool shows.")
    }

    /// A save like any other, after programs that have the document open have saved.
    private func save(_ result: CInt, over before: DocumentItem) async throws -> DocumentItem {
        try await FileCoordinator(client: document.client).coordinate(
            writingItemAt: document.reference, options: .forMerging
        ) { access in
            guard let now = access.item else {
                throw DocumentsError(.notFound, "\"\(before.name)\" was deleted meanwhile.")
            }
            try Self.require(now, unchangedSince: before)
            let session = try await access.session(replacing: true)
            lseek(result, 0, SEEK_SET)
            try ContentPump.copy(from: result, to: session.descriptor)
            return try await session.commit()
        }
    }

    private static func require(_ now: DocumentItem, unchangedSince before: DocumentItem) throws(DocumentsError) {
        guard now.hasContent(of: before) == false else { return }
        throw DocumentsError(
            .conflict, "\"\(before.name)\" was changed meanwhile. Nothing was saved.",
            suggestion: "Run the command again: it merges the new content.")
    }
}
