import FileProvider
import FoundationEssentials

/// Rclone's description of a document or folder.
struct RcloneEntry: Decodable, Sendable {
    let name: String
    let isFolder: Bool
    private let reportedSize: Int
    private let modified: String
    private let stableIdentifier: String?
    private let hashes: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case name = "Name"
        case isFolder = "IsDir"
        case reportedSize = "Size"
        case modified = "ModTime"
        case stableIdentifier = "ID"
        case hashes = "Hashes"
    }

    /// In bytes; nil if the back end does not know it, for example for documents that are generated on request.
    var size: Int? { !isFolder && reportedSize >= 0 ? reportedSize : nil }

    /// The hash if the back end has one, otherwise date, size and the back end's own identifier.
    func version(hash: String?) -> ItemVersion? {
        guard !isFolder else { return nil }
        if let hash, let known = hashVersion(hash) { return known }
        let text = "\(modified) \(reportedSize) \(stableIdentifier ?? "")"
        return ItemVersion(content: String(decoding: text.utf8.prefix(ItemVersion.maximumLength), as: UTF8.self))
    }

    /// The hash as a version; nil if the back end has none of this document.
    func hashVersion(_ hash: String) -> ItemVersion? {
        guard !isFolder, let value = hashes?[hash], !value.isEmpty else { return nil }
        return ItemVersion(content: "\(hash):\(value)")
    }

    /// The modification date; nil if rclone reports none that makes sense. Rclone runs in UTC.
    var modificationDate: Date? {
        guard let whole = try? Date(String(modified.prefix(19)) + "Z", strategy: .iso8601),
            whole.timeIntervalSince1970 > 0
        else { return nil }
        let rest = modified.dropFirst(19)
        guard rest.first == "." else { return whole }
        return whole + (Double("0" + rest.prefix { !$0.isLetter && $0 != "+" && $0 != "-" }) ?? 0)
    }
}
