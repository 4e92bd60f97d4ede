import Glibc

extension LocalFileReplacement {
    /// Whether a name belongs to a temporary file of a replacement, which is never a document.
    public static func isTemporary(_ name: LocalName) -> Bool { TemporaryName.isOurs(name) }

    /// The facts of the file that an operation left beside its target when the process died: the staged file if it was
    /// not yet published, else the displaced one.
    ///
    /// - Throws: ``FileProviderError`` when the directory cannot be read.
    public static func leftover(of operation: String, in directory: LocalDirectory) throws -> LocalFileFacts? {
        do {
            return try directory.facts(of: TemporaryName.save(operation))
        } catch let error as FileProviderError where error.code == .noSuchItem {
            return nil
        }
    }

    /// Cleans up the file that an operation left: removes it, or keeps it beside its target under a conflict name.
    ///
    /// - Returns: The name under which it is kept.
    /// - Throws: ``FileProviderError``.
    public static func finishLeftover(
        of operation: String, displacedFrom name: LocalName, in directory: LocalDirectory, keep: Bool
    ) throws -> LocalName? {
        try dispose(of: TemporaryName.save(operation), displacedFrom: name, in: directory, keep: keep)
    }

    /// Cleans up the files that operations left in a directory more than `age` seconds ago and that were never
    /// repeated: staged files are removed, displaced ones get a visible name.
    public static func tidy(_ name: LocalName, in directory: LocalDirectory, age: Int = 86_400) {
        guard TemporaryName.isOurs(name), let facts = try? directory.facts(of: name), facts.kind != .other,
            facts.changed / 1_000_000_000 < Int64(time(nil)) - Int64(age)
        else { return }
        if TemporaryName.isStage(name) {
            if facts.kind == .folder { try? LocalTree.remove(name, in: directory) } else { _ = directory.unlink(name) }
        } else if let recovered = LocalName("Recovered document") {
            _ = try? dispose(of: name, displacedFrom: recovered, in: directory, keep: true)
        }
    }

    static func dispose(
        of saved: LocalName, displacedFrom name: LocalName, in directory: LocalDirectory, keep: Bool
    ) throws -> LocalName? {
        guard keep else {
            try directory.remove(saved)
            return nil
        }
        let now = time(nil)
        for attempt in 0..<1_000 {
            let kept = TemporaryName.conflict(of: name, at: now, attempt: attempt)
            do {
                try directory.rename(saved, to: kept)
            } catch let error as FileProviderError where error.code == .filenameCollision {
                continue
            }
            try directory.synchronize()
            return kept
        }
        throw FileProviderError(
            .filenameCollision, "There is no free name to keep \"\(name.displayed)\" as a conflict.")
    }
}
