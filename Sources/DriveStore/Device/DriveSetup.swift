import FoundationEssentials

/// Creating a drive in a store, and opening one by its recovery phrase.
package enum DriveSetup {
    private struct Format: Codable {
        var format: String
        var version: Int
        var drive: String
        var epoch: String
        var phraseKey: String
    }

    /// Creates a drive in an empty store.
    ///
    /// - Parameter phrase: What opens the drive without any of its devices; the person has it already.
    /// - Returns: The keys.
    /// - Throws: ``DriveError/invalid(_:)`` when the store already has a drive, or does not decide races.
    package static func create(
        in store: any ObjectStore, phrase: RecoveryPhrase
    ) async throws(DriveError) -> DriveKeys {
        try await requireFree(store)
        if let problem = try await StoreProbe.failure(of: store) {
            throw .invalid("\(problem) Two devices could overwrite each other's changes there.")
        }
        let keys = DriveKeys.new(phraseKey: phrase.publicKey)
        // The epoch comes first: with the format the drive exists.
        try await store.publish(StoreNames.epoch(keys.epoch), phrase.seal(keys))
        let format = Format(
            format: "docent-drive", version: 1, drive: keys.drive.description, epoch: keys.epoch.description,
            phraseKey: Hexadecimal.text(phrase.publicKey))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let json = try? encoder.encode(format) else { throw .local("The format cannot be encoded.") }
        if case .refused = try await store.create(StoreNames.format, Array(json)),
            try await store.get(StoreNames.format)?.bytes != Array(json)
        {
            throw .invalid("There is a drive in that place already.")
        }
        return keys
    }

    /// Whether a place is free for a drive: nothing of anybody may be in it.
    ///
    /// - Throws: ``DriveError/invalid(_:)`` if it is not.
    package static func requireFree(_ store: any ObjectStore) async throws(DriveError) {
        if try await store.get(StoreNames.format) != nil { throw .invalid("There is a drive in that place already.") }
        guard try await store.isEmpty else {
            throw .invalid("That place is not empty. A drive needs one of its own.")
        }
    }

    /// Whether there is a drive of a known version in a store, and which.
    ///
    /// - Throws: ``DriveError/invalid(_:)`` otherwise.
    package static func identify(
        _ store: any ObjectStore
    ) async throws(DriveError) -> (drive: DriveIdentifier, epoch: DriveIdentifier) {
        guard let object = try await store.get(StoreNames.format) else {
            throw .invalid("There is no drive in that place.")
        }
        guard let format = try? JSONDecoder().decode(Format.self, from: Data(object.bytes)),
            format.format == "docent-drive", let drive = DriveIdentifier(hexadecimal: format.drive),
            let epoch = DriveIdentifier(hexadecimal: format.epoch)
        else { throw .malformed("format.json is not that of a drive.") }
        guard format.version == 1 else {
            throw .invalid("The drive has version \(format.version), which needs a newer Docent.")
        }
        return (drive, epoch)
    }

    /// The keys of a drive by its recovery phrase. The phrase carries no memory of what the drive contained: a store
    /// that shows an old state is not noticed.
    package static func recover(
        _ phrase: RecoveryPhrase, from store: any ObjectStore
    ) async throws(DriveError) -> DriveKeys {
        let (drive, epoch) = try await identify(store)
        guard let object = try await store.get(StoreNames.epoch(epoch)) else {
            throw .missing("The drive's keys are not in the store.")
        }
        let keys = try phrase.open(object.bytes)
        guard keys.drive == drive else { throw .tampered("The keys in the store are those of another drive.") }
        guard keys.phraseKey == nil || keys.phraseKey == phrase.publicKey else {
            throw .tampered("The keys in the store name another recovery phrase.")
        }
        let first = keys.with(phraseKey: phrase.publicKey)
        guard let members = try await store.get(StoreNames.members),
            let present = SealedObject.epoch(of: members.bytes), first.epochKeys[present] == nil
        else { return first }
        return try await DriveEpoch.follow(first, to: present, in: store) { epoch in
            phrase.openLater(epoch.phraseBox).map { ($0, epoch.phraseBox) }
        }.keys
    }
}
