package import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Creates a document or a folder. Never replaces anything.
    ///
    /// The content is sent to a temporary name and renamed only when it is complete. A retry recognises an operation
    /// whose reply was lost: after the operation was recorded, a missing temporary upload and a document with exactly
    /// this content mean that it is done.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        guard let name = LocalName(displayed: template.filename), !TemporaryUpload.isOne(name) else {
            throw FileProviderError(.invalidArgument, "\"\(template.filename)\" cannot be the name of a document.")
        }
        let folder = try await path(of: template.parent)
        let target = folder.appending(name)
        let there = try await server.optional(target)
        // Some servers make missing parent folders by themselves, which would bring back a folder that was renamed.
        if there == nil {
            guard try await server.existing(folder).isFolder else { throw Self.noFolder(folder) }
            try await requireStorable(name, in: folder)
        }
        if let contents {
            return try await createDocument(target, contents, operation, there, progress)
        }
        return try await createFolder(target, operation, there)
    }

    /// Creates without progress reports.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await createItem(
            basedOn: template, contents: contents, operation: operation, progress: TransferProgress())
    }

    private func createFolder(
        _ target: RemotePath, _ operation: ChangeOperation, _ there: RemoteEntry?
    ) async throws -> FileProviderItem {
        if let there {
            guard notes.has(operation), there.isFolder, try await server.entries(in: target).isEmpty else {
                throw Self.collision(target)
            }
            return try await describe(there)
        }
        try notes.add(operation)
        let reply = try await server.makeFolder(target)
        guard reply.isSuccess else {
            notes.remove(operation)
            if reply.status == 405 { throw Self.collision(target) }
            throw try await parentError(reply, target, cannot: "make the folder \"\(target.displayed)\"")
        }
        return try await describe(server.existing(target))
    }

    private func createDocument(
        _ target: RemotePath, _ contents: ContentReader, _ operation: ChangeOperation, _ there: RemoteEntry?,
        _ progress: TransferProgress
    ) async throws -> FileProviderItem {
        let isNoted = notes.has(operation)
        if let there {
            if isNoted {
                if try await server.hasContent(contents, there) { return try await describe(there) }
                if try await !trustsDestination(target), try await server.hasBeginning(of: contents, there) {
                    return try await replaceInPlace(there, there.version, contents, operation, progress)
                }
            }
            try await discard(operation, in: target.parent)
            throw Self.collision(target)
        }
        if try await server.traits().isNextcloud {
            try notes.add(operation)
            let reply = try await putDirectly(
                contents, at: target, condition: ("If-None-Match", "*"), operation, progress)
            guard reply.isSuccess else {
                notes.remove(operation)
                if reply.status == 412 { throw Self.collision(target) }
                throw try await parentError(reply, target, cannot: "store \"\(target.displayed)\"")
            }
            return try await stored(target, contents)
        }
        guard try await trustsDestination(target) else {
            return try await createInPlace(target, contents, operation, progress)
        }
        let sent = try await upload(contents, beside: target, operation, progress)
        try notes.add(operation)
        let reply = try await creations.run(target) { [server] in
            try await server.move(sent.path, to: target, replacing: false)
        }
        guard reply.isSuccess else {
            notes.remove(operation)
            // copyparty answers 400 where it means 412.
            let isTaken = reply.status == 400 ? try await server.optional(target) != nil : reply.status == 412
            if isTaken {
                try await discard(operation, in: target.parent)
                throw Self.collision(target)
            }
            throw try await parentError(reply, target, cannot: "store \"\(target.displayed)\"")
        }
        return try await moved(sent, to: target, contents)
    }

    /// The error for an answer to a change, after a check of the parent folder.
    func parentError(_ reply: HTTPReply, _ target: RemotePath, cannot what: String) async throws -> FileProviderError {
        guard [404, 409, 410].contains(reply.status) else { return server.error(reply, cannot: what) }
        let parent = try await server.existing(target.parent)
        return parent.isFolder
            ? FileProviderError(
                .busy, "The server did not \(what), although its folder exists. Try again.",
                underlying: [
                    ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")
                ])
            : Self.noFolder(target.parent)
    }

    static func noFolder(_ path: RemotePath) -> FileProviderError {
        FileProviderError(.invalidArgument, "\"\(path.displayed)\" is not a folder on the server.")
    }

    static func collision(_ path: RemotePath) -> FileProviderError {
        FileProviderError(
            .filenameCollision, "There is already a \"\(path.displayed)\" on the server. Choose another name.")
    }
}
