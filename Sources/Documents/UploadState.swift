import DocentInterfaces

/// How far what was saved of a document has come on its way to the provider.
public enum UploadState: Sendable, Hashable {
    /// The provider has everything that was saved here.
    case uploaded
    /// It is journaled, and waits to be sent.
    case queued
    /// It is being sent.
    case uploading
    /// It cannot be sent, for this reason, and waits for somebody to do something about it. Nothing is lost.
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

    /// Why it failed, if it did.
    package var reason: String? {
        if case .failed(let reason) = self { reason } else { nil }
    }

    /// The state of an item; where the daemon tells none that this build knows, whether it is uploaded decides (T5).
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
