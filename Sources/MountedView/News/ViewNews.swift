import Dispatch
import FileSystemMessages

/// Tells the kernel what has changed, one thing after another, on a thread of its own: the kernel may first want
/// answers to requests. Programs that watch folders are told afterwards.
final class ViewNews: Sendable {
    private let channel: KernelChannel
    private let watchers: WatcherWaking?
    private let queue = DispatchQueue(label: "org.docent.view.news")

    init(channel: KernelChannel, watchers: WatcherWaking?) {
        self.channel = channel
        self.watchers = watchers
    }

    /// Returns at once.
    ///
    /// - Parameter isAnswer: whether this follows from a request that the kernel has just made: it tells watchers
    ///   itself.
    func send(_ changes: [ViewChange], isAnswer: Bool = false) {
        guard !changes.isEmpty else { return }
        queue.async { [channel, watchers] in
            for change in changes { channel.send(change.notification.message) }
            if !isAnswer { watchers?.wake(changes) }
        }
    }
}
