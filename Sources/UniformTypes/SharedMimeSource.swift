import Synchronization

/// The machine's MIME database, read once, when it is first needed.
final class SharedMimeSource: Sendable {
    private let directories: [String]
    private let spine: DeclarationLayer
    private let loaded = Mutex<SharedMimeTypes?>(nil)
    private let loadedMagic = Mutex<SharedMimeMagic?>(nil)

    init(directories: [String], spine: DeclarationLayer) {
        self.directories = directories
        self.spine = spine
    }

    /// The rules that determine a type from content; none when the database is not installed.
    var magic: SharedMimeMagic {
        loadedMagic.withLock { loaded in
            if let loaded { return loaded }
            let magic = SharedMimeMagic(files: directories.map { SharedMimeDatabase.contents("\($0)/magic") })
            loaded = magic
            return magic
        }
    }

    /// The types of the database; none when it is not installed.
    var types: SharedMimeTypes {
        loaded.withLock { loaded in
            if let loaded { return loaded }
            let types = SharedMimeTypes(database: SharedMimeDatabase(directories: directories), spine: spine)
            loaded = types
            return types
        }
    }
}
