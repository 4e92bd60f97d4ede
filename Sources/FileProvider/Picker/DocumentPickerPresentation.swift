import FoundationEssentials
import UniformTypes

/// What one presentation of a picker is about.
struct DocumentPickerPresentation: Sendable {
    let mode: DocumentPickerMode
    let domain: String
    let validTypes: [UniformType]?
    let original: OriginalFile?
    let originalName: String?
    let providerIdentifier: String?
    let documentStorageURL: URL?
}
