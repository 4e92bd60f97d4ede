import FileProvider

/// A provider that supports what Faulty supports, except packages as a whole, and has a trash.
final class TrashProvider: FaultyBehaviour {
    static var features: ProviderFeatures { FaultyProvider.features.subtracting(.packages).union(.trash) }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host)
    }
}
