/// New files and new content. A repeated operation is recognised by the log and by the file that it left.
extension ClassicFileProvider {
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let parent = try await folderPath(template.parent)
        guard let name = LocalName(template.filename), !Self.isHidden(name) else {
            throw FileProviderError(.invalidArgument, "\"\(template.filename)\" cannot be the name of a file.")
        }
        let directory = try storage().directory(at: parent)
        if try !wasMade(name, in: directory, by: operation) {
            try Placeholder.makeWay(for: name, in: directory)
            guard Placeholder.metadata(of: name, in: directory) == nil else {
                throw FileProviderError(.filenameCollision, "\"\(name.displayed)\" exists, though not on this machine.")
            }
            if let contents {
                let staged = try LocalFileReplacement(
                    new: name, in: directory, contents: contents, operation: operation.identifier, progress: progress)
                try publish(staged, operation)
            } else {
                try directory.makeDirectory(name)
                try operations.note(operation, .init(directory.facts(of: name)), isDone: true)
            }
        }
        let path = parent + [name]
        guard let document = await Document(path, identifier: identifier(path), context.documentStorageURL) else {
            throw FileProviderError(.failed, "The provider has no identifier for \"\(name.displayed)\".")
        }
        return try await item(document, directory.facts(of: name))
    }

    /// Whether a name belongs to the file that an earlier attempt made, whatever was saved there since.
    private func wasMade(
        _ name: LocalName, in directory: LocalDirectory, by operation: ChangeOperation
    ) throws -> Bool {
        guard let made = try operations.result(of: operation), let facts = try? directory.facts(of: name) else {
            return false
        }
        return made.isDone || made.file == .init(facts)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let document = try await document(identifier)
        if try await describe(document) == nil { try await instance.providePlaceholder(at: document.url) }
        // A running start must not overwrite the new content with the old.
        let outcome = try await starts.run(identifier) {
            try resume(operation, document, baseVersion) ?? store(contents, in: document, base: baseVersion, operation)
        }
        var kept: ItemIdentifier?
        if let conflict = outcome.conflict {
            kept = await self.identifier(document.path.dropLast() + [conflict])
        }
        return ModifiedItem(item: try await item(document, outcome.facts), conflict: kept)
    }

    /// Replaces a file, or creates the one that a placeholder stands for without fetching its old content.
    private func store(
        _ contents: ContentReader, in document: Document, base: ItemVersion?, _ operation: ChangeOperation
    ) throws -> (facts: LocalFileFacts, conflict: LocalName?) {
        let directory = try storage().directory(at: document.path.dropLast())
        guard try facts(document) == nil else {
            let staged = try LocalFileReplacement(
                of: document.name, in: directory, contents: contents, operation: operation.identifier)
            try operations.note(operation, .init(staged.facts), isDone: false)
            let outcome = try staged.replace(base: base)
            try operations.note(operation, .init(outcome.facts), isDone: true)
            return (outcome.facts, outcome.conflict)
        }
        guard let placeholder = Placeholder.metadata(of: document.name, in: directory) else {
            throw FileProviderError(.noSuchItem, "There is no \"\(document.name.displayed)\" any more.")
        }
        guard base == nil || placeholder.version == nil || base?.content == placeholder.version else {
            throw FileProviderError(.versionOutOfDate, "\"\(document.name.displayed)\" was changed meanwhile.")
        }
        let staged = try LocalFileReplacement(
            new: document.name, in: directory, contents: contents, operation: operation.identifier)
        let facts = try publish(staged, operation)
        Placeholder.remove(of: document.name, in: directory)
        return (facts, nil)
    }

    @discardableResult
    private func publish(_ staged: LocalFileReplacement, _ operation: ChangeOperation) throws -> LocalFileFacts {
        try operations.note(operation, .init(staged.facts), isDone: false)
        let facts = try staged.create()
        try operations.note(operation, .init(facts), isDone: true)
        return facts
    }

    /// Completes an operation that a crash interrupted; nil when it has to start over.
    private func resume(
        _ operation: ChangeOperation, _ document: Document, _ base: ItemVersion?
    ) throws -> (facts: LocalFileFacts, conflict: LocalName?)? {
        guard let made = try operations.result(of: operation), let now = try facts(document) else { return nil }
        let directory = try storage().directory(at: document.path.dropLast())
        let left = try LocalFileReplacement.leftover(of: operation.identifier, in: directory)
        let isPublished = made.isDone || made.file == .init(now) || left.map { made.file != .init($0) } ?? false
        var conflict: LocalName?
        if let left {
            let isBase = base.map { left.version.hasSameContent(as: $0) } ?? true
            conflict = try LocalFileReplacement.finishLeftover(
                of: operation.identifier, displacedFrom: document.name, in: directory, keep: isPublished && !isBase)
        }
        guard isPublished else { return nil }
        try operations.note(operation, made.file, isDone: true)
        Placeholder.remove(of: document.name, in: directory)
        return (now, conflict)
    }
}
