package import DocentInterfaces
package import Logging
package import Rights
package import Storage

/// The key that seals bookmarks (G4): in the user's keyring if there is one, else in a file.
///
/// The database records where the key is, and it is looked for only there: a locked keyring is waited for and never
/// replaced by a file. The key is not needed until the first bookmark is made or resolved, or until `docent doctor`
/// runs. A key in a file moves to the keyring once one can be used.
package actor BookmarkKey {
    private let store: BookmarkStore
    private let file: BookmarkKeyFile
    private let keyring: BookmarkKeyring
    private let worker: BlockingWorker
    private let logger: Logger
    private var seal: BookmarkSeal?
    private var loading: Task<BookmarkSeal, any Error>?
    private var trouble: (error: any Error, until: ContinuousClock.Instant)?
    private var moving: Task<Void, Never>?

    /// How long a keyring that could not be used is left alone.
    private static let pause = Duration.seconds(2)

    package init(
        store: BookmarkStore, file: BookmarkKeyFile, keyring: BookmarkKeyring, worker: BlockingWorker, logger: Logger
    ) {
        self.store = store
        self.file = file
        self.keyring = keyring
        self.worker = worker
        self.logger = logger
    }

    /// The seal of the key.
    ///
    /// - Parameter making: whether to make a key if there is none.
    /// - Throws: ``BookmarkFault/keyLost`` if there is none; ``Failure`` `Unavailable` while its keyring cannot be
    ///   used; storage and database errors.
    package func seal(making: Bool) async throws -> BookmarkSeal {
        while true {
            if let seal { return seal }
            if let trouble, trouble.until > .now { throw trouble.error }
            guard let running = loading else { break }
            _ = await running.result
        }
        let task = Task { try await self.loadOnce(making: making) }
        loading = task
        return try await task.value
    }

    private func loadOnce(making: Bool) async throws -> BookmarkSeal {
        // Runs before the waiting callers continue.
        defer { loading = nil }
        do {
            let loaded = try await load(making: making)
            seal = loaded
            return loaded
        } catch {
            // A missing key may exist at the next call. A keyring that does not answer is not asked again for a while.
            if error is Failure { trouble = (error, .now + Self.pause) }
            throw error
        }
    }

    private func load(making: Bool) async throws -> BookmarkSeal {
        switch try await store.keyPlace() {
        case .file:
            if let seal = try await inFile() {
                moveLater(seal)
                return seal
            }
        case .keyring:
            if let seal = try await inKeyring() {
                // A copy left by a daemon that was killed while it moved the key.
                if try await inFile()?.name == seal.name { try await removeFile() }
                return seal
            }
        case nil: break
        }
        guard making else { throw BookmarkFault.keyLost }
        return try await make()
    }

    private func inFile() async throws -> BookmarkSeal? {
        let file = file
        return try await worker.run { _ in try file.read() }.flatMap(BookmarkSeal.init(key:))
    }

    private func removeFile() async throws {
        let file = file
        try await worker.run { _ in try file.remove() }
    }

    private func inKeyring() async throws -> BookmarkSeal? {
        switch await keyring.probe() {
        case .usable:
            do {
                return try await keyring.read(try await store.keyName()).flatMap(BookmarkSeal.init(key:))
            } catch {
                throw Self.unavailable("does not return it: \(error)")
            }
        case .locked: throw Self.unavailable("is locked")
        case .absent(let why): throw Self.unavailable("cannot be used: \(why)")
        }
    }

    private static func unavailable(_ why: String) -> Failure {
        Failure(
            .unavailable, "The bookmark key is in your keyring, which \(why).",
            suggestion: "Unlock the keyring (gnome-keyring-daemon --replace --unlock) and try again.")
    }

    private func make() async throws -> BookmarkSeal {
        let lost = try await store.sealedCount(except: nil)
        if lost > 0 {
            logger.warning("the bookmark key is lost; a new one is being created", metadata: ["unusable": "\(lost)"])
        }
        if await keyring.probe() == .usable {
            do {
                if let seal = try await makeInKeyring(BookmarkSeal.makeKey()) { return seal }
            } catch {
                logger.warning("the keyring does not accept the bookmark key", metadata: ["why": "\(error)"])
            }
        }
        let file = file
        let made = try await worker.run { _ -> [UInt8] in
            // A key that an earlier daemon made just before it was killed.
            if let known = try file.read() { return known }
            let key = BookmarkSeal.makeKey()
            try file.create(key)
            return key
        }
        guard let seal = BookmarkSeal(key: made) else { throw BookmarkFault.keyLost }
        try await store.setKeyPlace(.file)
        return seal
    }

    // Returns nil if the keyring does not return what it was given.
    private func makeInKeyring(_ key: [UInt8]) async throws -> BookmarkSeal? {
        let name = try await store.keyName()
        if try await keyring.read(name).flatMap(BookmarkSeal.init(key:)) == nil { try await keyring.store(key, name) }
        guard let seal = try await keyring.read(name).flatMap(BookmarkSeal.init(key:)) else { return nil }
        try await store.setKeyPlace(.keyring)
        return seal
    }

    // MARK: Moving

    private func moveLater(_ seal: BookmarkSeal) {
        guard moving == nil else { return }
        moving = Task { await self.move() }
    }

    private func move() async {
        defer { moving = nil }
        let file = file
        do {
            guard try await store.keyPlace() == .file, await keyring.probe() == .usable,
                let key = try await worker.run({ _ in try file.read() })
            else { return }
            let name = try await store.keyName()
            try await keyring.store(key, name)
            guard try await keyring.read(name) == key else { return }
            try await store.setKeyPlace(.keyring)
            try await removeFile()
            logger.info("the bookmark key is now in the keyring")
        } catch {
            logger.warning("the bookmark key stays in its file", metadata: ["why": "\(error)"])
        }
    }

    // MARK: `docent doctor`

    /// The check of the key in `docent doctor`. It first moves a key in a file to the keyring, if that can be used now.
    package func check() async -> Wire.Check {
        do {
            await moving?.value
            if try await store.keyPlace() == .file { await move() }
            guard let place = try await store.keyPlace() else {
                return BookmarkKeyCheck.check(.none)
            }
            let seal: BookmarkSeal?
            do {
                seal = place == .file ? try await inFile() : try await inKeyring()
            } catch let failure as Failure {
                return BookmarkKeyCheck.check(.unavailable(failure.message, failure.suggestion))
            }
            let lost = try await store.sealedCount(except: seal?.name)
            if seal == nil { return BookmarkKeyCheck.check(.lost(place, path: file.path, bookmarks: lost)) }
            return BookmarkKeyCheck.check(.present(place, path: file.path, unusable: lost))
        } catch {
            return BookmarkKeyCheck.check(.unavailable("It cannot be read: \(error)", nil))
        }
    }
}
