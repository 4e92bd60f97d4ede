import FileProvider

/// The errors that faults cause.
enum Trouble {
    /// An error that a provider's own code might throw.
    enum OwnError: Error { case missing }

    static let ownError: any Error = OwnError.missing

    static var notSupported: FileProviderError { FileProviderError(.notSupported, "It was only declared.") }

    /// The error with a name of the interface.
    static func error(named name: String) -> FileProviderError {
        let codes: [String: FileProviderError.Code] = [
            "NoSuchItem": .noSuchItem, "NotAuthenticated": .notAuthenticated, "ServerUnreachable": .serverUnreachable,
            "Busy": .busy, "Collision": .filenameCollision, "VersionOutOfDate": .versionOutOfDate,
            "InsufficientQuota": .insufficientQuota, "AnchorExpired": .syncAnchorExpired,
            "NotSupported": .notSupported, "NotPermitted": .notPermitted, "InvalidArgument": .invalidArgument,
        ]
        return FileProviderError(codes[name] ?? .failed, "The script says so.")
    }

    /// One of a series of errors.
    static func storm(_ number: Int) -> FileProviderError {
        let names = ["Failed", "ServerUnreachable", "Busy", "NotPermitted", "InsufficientQuota", "NotAuthenticated"]
        return error(named: names[number % names.count])
    }
}
