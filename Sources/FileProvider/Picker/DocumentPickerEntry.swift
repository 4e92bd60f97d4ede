public import FoundationEssentials
public import UniformTypes

/// An entry that a picker shows in a folder.
public struct DocumentPickerEntry: Hashable, Sendable {
    /// Identifies it within the picker. It is passed to ``DocumentPickerExtension/contents(of:page:)`` and
    /// ``DocumentPickerExtension/userDidChoose(_:name:)``.
    public var path: String
    /// Its display name.
    public var name: String
    /// Its type, if known.
    public var contentType: UniformType?
    /// Its size in bytes, if known.
    public var size: Int?
    /// When its content was last changed.
    public var modificationDate: Date?
    /// When it was created.
    public var creationDate: Date?
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Whether it is on this machine, if known.
    public var isDownloaded: Bool?
    /// Whether it can be chosen; other entries are shown as unavailable.
    public var isSelectable: Bool

    /// Creates an entry.
    public init(path: String, name: String, isFolder: Bool = false, isSelectable: Bool = true) {
        self.path = path
        self.name = name
        self.isFolder = isFolder
        self.isSelectable = isSelectable
    }
}
