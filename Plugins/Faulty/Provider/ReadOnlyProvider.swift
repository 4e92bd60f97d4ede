import FileProvider

/// A provider that lists and delivers content, and supports nothing else.
final class ReadOnlyProvider: FaultyBehaviour {
    static var features: ProviderFeatures { [] }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host)
    }
}
