import FileProvider

/// A provider that supports everything in the SDK.
final class FaultyProvider: FaultyBehaviour {
    static var features: ProviderFeatures {
        [.write, .delete, .move, .changes, .resume, .ranges, .signIn, .packages, .metadata, .usage, .thumbnails]
    }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host)
    }
}
