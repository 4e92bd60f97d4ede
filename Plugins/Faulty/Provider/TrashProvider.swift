import FileProvider

/// A provider that supports what Faulty supports, except packages as a whole, and has a trash and a history of its
/// documents.
final class TrashProvider: FaultyBehaviour {
    static var features: ProviderFeatures { FaultyProvider.features.subtracting(.packages).union([.trash, .versions]) }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host, keepsHistory: true)
    }
}
