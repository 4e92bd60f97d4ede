import FileProvider
import FoundationEssentials

/// What rclone says of a document or folder.
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

    /// In bytes; nil where the back end does not know, as of documents that it makes when they are asked for.
    var size: Int? { !isFolder && reportedSize >= 0 ? reportedSize : nil }

    /// The hash where the back end has one, else date, size and the back end's own identifier.
    func version(hash: String?) -> ItemVersion? {
        guard !isFolder else { return nil }
        if let hash, let value = hashes?[hash], !value.isEmpty { return ItemVersion(content: "\(hash):\(value)") }
        let text = "\(modified) \(reportedSize) \(stableIdentifier ?? "")"
        return ItemVersion(content: String(decoding: text.utf8.prefix(ItemVersion.maximumLength), as: UTF8.self))
    }

    /// When it was changed; nil if rclone says nothing that makes sense. Rclone's zone is UTC.
    var modificationDate: Date? {
        guard let whole = try? Date(String(modified.prefix(19)) + "Z", strategy: .iso8601),
            whole.timeIntervalSince1970 > 0
        else { return nil }
        let rest = modified.dropFirst(19)
        guard rest.first == "." else { return whole }
        return whole + (Double("0" + rest.prefix { !$0.isLetter && $0 != "+" && $0 != "-" }) ?? 0)
    }
}
