import DocentInterfaces
import FoundationEssentials
import UniformTypes

extension Wire.PickerEntry {
    /// Converts an author's entry.
    init(_ entry: DocumentPickerEntry) {
        self.init(
            path: entry.path, name: entry.name, contentType: entry.contentType?.identifier, size: entry.size,
            modificationDate: entry.modificationDate?.timeIntervalSince1970,
            creationDate: entry.creationDate?.timeIntervalSince1970, isFolder: entry.isFolder,
            isDownloaded: entry.isDownloaded, selectable: entry.isSelectable)
    }
}
