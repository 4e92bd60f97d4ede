import FoundationEssentials
import UniformTypes

/// The data of one presentation of a picker.
struct DocumentPickerPresentation: Sendable {
    let mode: DocumentPickerMode
    let domain: String
    let validTypes: [UniformType]?
    let original: OriginalFile?
    let originalName: String?
    let providerIdentifier: String?
    let documentStorageURL: URL?
}
