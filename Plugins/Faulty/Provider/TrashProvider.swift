import FileProvider

/// A provider that supports everything in the SDK, and has a trash.
final class TrashProvider: FaultyBehaviour {
    static var features: ProviderFeatures { FaultyProvider.features.union(.trash) }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host)
    }
}
