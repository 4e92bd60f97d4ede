import DocentInterfaces
import Records
import Rights
import Storage

/// Received content that is not what it should be: it is discarded and never published.
struct DownloadRefusal: Error {
    let failure: Failure

    /// The content is mostly holes, and there is no room for it (F1).
    init(_ item: RemoteItem, noRoom error: FileSystemError) {
        failure = Failure(
            .noSpace, "The content of \"\(item.description.name)\" was refused: \(error.message)",
            suggestion: "Free some space on the disk.", provider: item.key.provider)
    }

    /// - Parameter isLasting: whether another attempt would bring the same.
    init(_ item: RemoteItem, _ what: String, isLasting: Bool = true) {
        failure = Failure(
            isLasting ? .providerFailed : .unavailable,
            "The content of \"\(item.description.name)\" was refused: \(what).",
            suggestion: isLasting ? "Report this to the authors of \(item.key.provider)." : "Try again.",
            provider: item.key.provider)
    }
}
