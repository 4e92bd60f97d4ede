import DocentInterfaces

/// How far the upload of a document's saved changes has come.
public enum UploadState: Sendable, Hashable {
    /// The provider has everything that was saved here.
    case uploaded
    /// The changes are journaled and wait to be uploaded.
    case queued
    /// The changes are being uploaded.
    case uploading
    /// The upload failed for this reason and waits for the user to act. Nothing is lost.
    case failed(String)

    /// The state's name on the wire and in JSON.
    package var name: String {
        switch self {
        case .uploaded: "uploaded"
        case .queued: "queued"
        case .uploading: "uploading"
        case .failed: "failed"
        }
    }

    /// The reason for a failure; nil for other states.
    package var reason: String? {
        if case .failed(let reason) = self { reason } else { nil }
    }

    /// The state of an item. When the daemon reports none that this build knows, `isUploaded` decides.
    init(_ item: Wire.Item) {
        self =
            switch item.uploadState {
            case "queued": .queued
            case "uploading": .uploading
            case "failed": .failed(item.uploadError ?? "The provider gave no reason.")
            default: item.isUploaded || item.isFolder ? .uploaded : .queued
            }
    }
}
