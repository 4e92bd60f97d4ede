import CLinux

/// Finishes what a killed daemon left (W). Run under the instance lock, before anything else touches the directories.
///
/// Every function may be interrupted and run again with the same result.
package struct Recovery: Sendable {
    private let layout: StorageLayout
    private let writer: Writer

    /// Makes the recovery of a layout; its journal is told what it finishes.
    package init(layout: StorageLayout, journal: any WriteJournal, crashPoint: @escaping CrashPoint = { _ in }) {
        self.layout = layout
        writer = Writer(layout: layout, journal: journal, crashPoint: crashPoint)
    }

    /// Finishes a record that is `staged`; one that is `published` or `uploaded` is only tidied up. Idempotent.
    ///
    /// - Returns: nil when there was nothing to finish.
    /// - Throws: `.corrupt` when the stored content is not the journal's; nothing is changed then.
    package func rollForward(_ record: WriteRecord) throws -> WriteOutcome? {
        switch record.state {
        case .opened, .published:
            return nil
        case .uploaded:
            try Directory(path: layout.uploadsDirectory).remove(record.operationName())
            return nil
        case .staged:
            try verify(record)
            return try writer.publish(record)
        }
    }

    /// Keeps the content of a session that died uncommitted as a recovered version; nothing is published (W0).
    ///
    /// - Returns: its name in `VersionStore`, or nil when there was no content. The caller closes the journal's record.
    package func keepUncommitted(_ record: WriteRecord) throws -> FileName? {
        let name = try record.operationName()
        let staging = try Directory(path: layout.stagingDirectory)
        try Directory(path: layout.uploadsDirectory).remove(name)
        guard let status = try staging.status(of: name) else { return nil }
        guard status.size > 0 else {
            try staging.remove(name)
            return nil
        }
        return try VersionStore(layout: layout)
            .keep(name, in: staging, item: record.item, reason: .recovered, operation: record.operation).file
    }

    /// Removes files and packages in Staging and Uploads that belong to no operation of the journal: left by a kill before step 1
    /// was recorded, or after the last. Run after every record was rolled forward.
    ///
    /// - Parameter known: the operations whose record is still open, staged or published.
    /// - Returns: how many were removed.
    @discardableResult
    package func removeOrphans(known: Set<String>) throws -> Int {
        let names = try Set(known.map { try FileName($0) })
        var removed = 0
        for path in [layout.stagingDirectory, layout.uploadsDirectory] {
            let directory = try Directory(path: path)
            for name in try directory.names() where !names.contains(name) {
                try directory.removeTree(name)
                removed += 1
            }
        }
        return removed
    }

    // Before anything is renamed: the inode in Uploads is what was promised.
    private func verify(_ record: WriteRecord) throws {
        let name = try record.operationName()
        let uploads = try Directory(path: layout.uploadsDirectory)
        guard try uploads.status(of: name) != nil else {
            throw FileSystemError(.corrupt, "The content of operation \(record.operation) is missing in Uploads.")
        }
        let file = try uploads.open(name)
        let (digest, size) = try withExtendedLifetime(file) { try FileDigest.sha256(of: file.number) }
        guard digest == record.digest, size == record.size else {
            throw FileSystemError(.corrupt, "The content of operation \(record.operation) is not what was committed.")
        }
    }
}
