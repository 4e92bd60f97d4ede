import FoundationEssentials
import UniformTypes

/// What one presentation of a picker is about.
struct DocumentPickerPresentation: Sendable {
    let mode: DocumentPickerMode
    let domain: String
    let validTypes: [UniformType]?
    let original: ContentReader?
    let originalName: String?
    let providerIdentifier: String?
    let documentStorageURL: URL?

    /// The open source file by its descriptor: a sandboxed picker may not know its path (F3).
    var originalURL: URL? {
        original.map { URL(filePath: "/proc/self/fd/\($0.descriptor)", directoryHint: .notDirectory) }
    }
}
