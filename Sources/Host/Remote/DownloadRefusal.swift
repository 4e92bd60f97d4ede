import DocentInterfaces
import Isolation

/// Content that came and is not what it should be: thrown away, never published.
struct DownloadRefusal: Error {
    let failure: Failure

    /// - Parameter isLasting: whether another attempt would bring the same.
    init(_ item: RemoteItem, _ what: String, isLasting: Bool = true) {
        failure = Failure(
            isLasting ? .providerFailed : .unavailable,
            "The content of \"\(item.description.name)\" is refused: \(what).",
            suggestion: isLasting ? "Tell the authors of \(item.key.provider)." : "Try again.",
            provider: item.key.provider)
    }
}
