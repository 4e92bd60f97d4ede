public import FoundationEssentials
public import UniformTypes

/// What a picker shows in a folder (B8).
public struct DocumentPickerEntry: Hashable, Sendable {
    /// Names it within the picker; given back to ``DocumentPickerExtension/contents(of:page:)`` and
    /// ``DocumentPickerExtension/userDidChoose(_:name:)``.
    public var path: String
    /// Its name for people.
    public var name: String
    /// Its type, if known.
    public var contentType: UniformType?
    /// Its size in bytes, if known.
    public var size: Int?
    /// When its content was changed last.
    public var modificationDate: Date?
    /// When it was made.
    public var creationDate: Date?
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Whether it is on this machine, if known.
    public var isDownloaded: Bool?
    /// Whether it may be chosen; others are shown as unavailable (B7).
    public var isSelectable: Bool

    /// An entry from its parts.
    public init(path: String, name: String, isFolder: Bool = false, isSelectable: Bool = true) {
        self.path = path
        self.name = name
        self.isFolder = isFolder
        self.isSelectable = isSelectable
    }
}
