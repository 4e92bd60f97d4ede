import Dispatch
import FileSystemMessages

/// Tells the kernel what has changed, one thing after another, on a thread of its own: the kernel may first want
/// answers to requests.
final class ViewNews: Sendable {
    private let channel: KernelChannel
    private let queue = DispatchQueue(label: "org.docent.view.news")

    init(channel: KernelChannel) { self.channel = channel }

    /// Returns at once.
    func send(_ changes: [ViewChange]) {
        guard !changes.isEmpty else { return }
        queue.async { [channel] in
            for change in changes { channel.send(change.notification.message) }
        }
    }
}
