/// A fact about a document or folder that is known without its content.
public enum PromisedItemKey: Sendable, Hashable, CaseIterable {
    /// The file name: a text.
    case name
    /// The uniform type identifier: a text.
    case contentType
    /// The size in bytes: a number; unknown for folders.
    case size
    /// When the content was changed: a date.
    case modificationDate
    /// When it was created: a date.
    case creationDate
    /// Whether this is a folder.
    case isFolder
    /// Changes whenever the content does: a text.
    case version
    /// How much of the content is on this machine: a ``DownloadingStatus``.
    case downloadingStatus
    /// How far the upload of what was saved has come: an ``UploadState``.
    case uploadState
    /// Whether the content is always kept on this machine.
    case isPinned
    /// How many versions are kept beside the current one because of conflicting changes: a number.
    case conflicts
}

/// The value of a ``PromisedItemKey``.
public enum PromisedItemValue: Sendable, Hashable {
    case text(String)
    case number(Int)
    /// Seconds since 1970-01-01 UTC.
    case date(Double)
    case flag(Bool)
    case downloadingStatus(DownloadingStatus)
    case uploadState(UploadState)
}

extension DocumentItem {
    /// The value of a fact; nil if it is not known.
    public func value(for key: PromisedItemKey) -> PromisedItemValue? {
        switch key {
        case .name: .text(name)
        case .contentType: .text(contentType)
        case .size: size.map { .number($0) }
        case .modificationDate: modificationDate.map { .date($0) }
        case .creationDate: creationDate.map { .date($0) }
        case .isFolder: .flag(isFolder)
        case .version: version.map { .text($0) }
        case .downloadingStatus: isFolder ? nil : .downloadingStatus(downloadingStatus)
        case .uploadState: .uploadState(uploadState)
        case .isPinned: .flag(isPinned)
        case .conflicts: .number(conflicts)
        }
    }
}
