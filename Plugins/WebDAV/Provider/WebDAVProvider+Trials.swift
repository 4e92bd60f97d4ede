import FileProvider
import HTTPTransport

extension WebDAVProvider {
    /// Whether a server might cut the address of this account in a destination. Then no MOVE or COPY is trusted.
    var hasRiskyAddress: Bool { RiskyCharacters(in: RemotePath(server.address.base)).mayEndPath }

    /// What to do about such an address, in a sentence.
    static let addressAdvice =
        "Use an address of the account without the characters ? ; # \\ and without control characters, even encoded."

    /// Whether MOVE and COPY to a place are known to reach that place. Characters that some servers misread are tried
    /// once, with harmless names. The address of the account counts too, because it is part of each destination.
    func trustsDestination(_ path: RemotePath) async throws -> Bool {
        // The first request may be redirected, which changes the address.
        let isNextcloud = try await server.traits().isNextcloud
        let characters = RiskyCharacters(in: RemotePath(server.address.base + path.names))
        guard !characters.isEmpty, !isNextcloud else { return true }
        guard !hasRiskyAddress else { return false }
        if let known = destinations.areKept(characters) { return known }
        // The nearest folder above the place whose own path has no risky characters.
        var folder = path.parent
        while !RiskyCharacters(in: folder).isEmpty { folder = folder.parent }
        return try await trials.run(folder) {
            if let known = destinations.areKept(characters) { return known }
            let all = characters.union(.common)
            if try await tryDestination(all, in: folder) {
                destinations.note(all, areKept: true)
                return true
            }
            let isKept = all == characters ? false : try await tryDestination(characters, in: folder)
            destinations.note(characters, areKept: isKept)
            return isKept
        }
    }

    private func tryDestination(_ characters: RiskyCharacters, in folder: RemotePath) async throws -> Bool {
        guard let source = LocalName("source"), let target = characters.name else { return false }
        return try await withTrialFolder(in: folder) { place in
            guard try await server.put([1], at: place.appending(source)).isSuccess else { return false }
            let reply = try await server.move(place.appending(source), to: place.appending(target), replacing: false)
            guard reply.isSuccess else { return false }
            return try await server.entries(in: place).map(\.path.name) == [target]
        } ?? false
    }

    /// Finds out whether the server's locks keep others out, if that has to be known to replace a document. Has to be
    /// called before the first lock is requested.
    func tryLocks(for there: RemoteEntry) async throws {
        if there.entityTag == nil, try await server.traits().hasLocks { _ = try await keepsLocks(near: there.path) }
    }

    /// Whether the server's locks keep others out. Tried once on servers without entity tags, because some of them only
    /// pretend to lock (copyparty).
    func keepsLocks(near path: RemotePath) async throws -> Bool {
        if let known = server.lockTraits.isKept { return known }
        guard let name = LocalName("locked") else { return false }
        return try await trials.run(path.parent) {
            if let known = server.lockTraits.isKept { return known }
            let isKept = try await withTrialFolder(in: path.parent) { place in
                guard try await server.put([1], at: place.appending(name)).isSuccess else { return false }
                return try await server.withLock(on: place.appending(name)) { token in
                    guard token != nil else { return false }
                    return try await !server.delete(place.appending(name)).isSuccess
                }
            }
            guard let isKept else { return true }
            server.lockTraits.isKept = isKept
            return isKept
        }
    }

    /// Runs the body with a separate hidden folder, which is removed afterwards; nil if the folder cannot be made.
    func withTrialFolder<Value: Sendable>(
        in folder: RemotePath, _ body: (RemotePath) async throws -> Value
    ) async throws -> Value? {
        let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        guard let hidden = TemporaryUpload.name(ChangeOperation(identifier: "probe-" + mark, digest: nil)) else {
            return nil
        }
        let place = folder.appending(hidden)
        let made = try await server.makeFolder(place)
        guard made.isSuccess else {
            guard made.status == 403 else {
                throw try await parentError(made, place, cannot: "make a folder in \"\(folder.displayed)\"")
            }
            return nil
        }
        do {
            let value = try await body(place)
            try await removeFolder(place, isRecursive: true)
            return value
        } catch {
            try? await removeFolder(place, isRecursive: true)
            throw error
        }
    }
}
