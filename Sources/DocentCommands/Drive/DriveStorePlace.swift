import ArgumentParser
import ExtensionManifest

/// Where a drive is, as it is written on a command line: a folder, or an address that begins with `s3://`.
enum DriveStorePlace: Equatable {
    case folder(String)
    case address(String)

    /// Reads the argument. Pure.
    @Sendable
    static func parse(_ text: String) throws -> DriveStorePlace {
        guard !text.isEmpty else { throw ValidationError("The store is empty: give a folder, or s3://BUCKET/PREFIX.") }
        if text.hasPrefix("s3://") {
            guard text.count > 5 else { throw ValidationError("\"\(text)\" names no bucket: s3://BUCKET/PREFIX.") }
            return .address(text)
        }
        guard !text.contains("://") else {
            throw ValidationError("\"\(text)\" is not a store: give a folder, or s3://BUCKET/PREFIX.")
        }
        return .folder(text)
    }

    /// The name of the account, if the person gives none: the last part of the place, as far as a name can have it.
    var standardName: String {
        let text =
            switch self {
            case .folder(let path): path
            case .address(let address): String(address.dropFirst(5))
            }
        let last = text.split(separator: "/").last.map(String.init) ?? ""
        let name = String(
            last.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }.prefix(64))
        return name.contains(where: { $0.isLetter || $0.isNumber }) ? name : "drive"
    }

    /// The folder as an absolute path; an address unchanged.
    var absolute: DriveStorePlace {
        guard case .folder(let path) = self else { return self }
        return .folder(DomainsAddCommand.absolute(path, from: ManifestEnvironment.workingDirectory()))
    }

    /// The place as it is written.
    var text: String {
        switch self {
        case .folder(let path): path
        case .address(let address): address
        }
    }
}
