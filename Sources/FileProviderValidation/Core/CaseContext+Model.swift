package import DocentInterfaces

extension CaseContext {
    /// Creates a folder, by default in the work folder.
    package func makeFolder(_ name: String? = nil, in parent: String? = nil) async throws -> Wire.ProviderItem {
        let parent = try await parentOrWorkFolder(parent)
        return try await create(name ?? freshName("folder"), in: parent, content: nil)
    }

    /// Creates a document with that content, by default in the work folder.
    package func makeFile(
        _ name: String? = nil, in parent: String? = nil, content: [UInt8]
    ) async throws -> ModelFile {
        let parent = try await parentOrWorkFolder(parent)
        return ModelFile(
            item: try await create(name ?? freshName("document") + ".bin", in: parent, content: content),
            content: content)
    }

    /// Creates a document with `count` random bytes.
    package func makeFile(_ name: String? = nil, in parent: String? = nil, count: Int) async throws -> ModelFile {
        try await makeFile(name, in: parent, content: randomBytes(count))
    }

    /// Creates many documents with one byte each. Eight at a time, because a service may take a second for each; some
    /// services lock the folder meanwhile, and the provider may answer `Busy`.
    package func makeFiles(_ names: [String], in parent: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, name) in names.enumerated() {
                if number >= 8 { _ = try await group.next() }
                group.addTask {
                    let operation = self.newOperation()
                    _ = try await self.whileBusy {
                        try await self.create(name, in: parent, content: [UInt8(number % 251)], operation: operation)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The content of a document, in the way this provider delivers it: in place, with `Provide`, or with `Fetch`.
    package func read(_ identifier: String) async throws -> [UInt8] {
        if has(.inPlace) {
            let opened = try await openInPlace(identifier)
            return opened.file.contents()
        }
        if has(.classic) { return try await provided(identifier) }
        return try await fetch(identifier).bytes
    }

    /// Reports unless a document has the content of the model.
    ///
    /// - Returns: whether it has.
    @discardableResult
    package func expectContent(
        of file: ModelFile, after what: String, requirement: ProviderRequirement? = nil
    ) async throws -> Bool {
        let bytes = try await read(file.identifier)
        return expect(
            bytes == file.content, did: "Reading \(PlainText.quoted(file.item.name)) after \(what)",
            expected: "the \(file.content.count) bytes that were written",
            got: PlainText.difference(bytes, file.content),
            requirement: requirement)
    }

    /// Whether this item can be renamed and moved, according to its capabilities.
    package func mayRename(_ item: Wire.ProviderItem) -> Bool { item.capabilities?.contains("rename") ?? true }

    /// Whether two names have the same bytes.
    package static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    /// All documents below a folder, breadth first, visiting at most `limit` items.
    package func walk(_ folder: String = root, limit: Int = 200) async throws -> [Wire.ProviderItem] {
        var found: [Wire.ProviderItem] = []
        var folders = [folder]
        var known: Set<[UInt8]> = [Array(folder.utf8)]
        while !folders.isEmpty, found.count < limit {
            for item in try await list(folders.removeFirst()) {
                found.append(item)
                if item.isFolder, known.insert(Array(item.identifier.utf8)).inserted { folders.append(item.identifier) }
                if found.count >= limit { break }
            }
        }
        return found
    }

    private func parentOrWorkFolder(_ parent: String?) async throws -> String {
        if let parent { return parent }
        return try await workFolder().identifier
    }
}
