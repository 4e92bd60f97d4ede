import CommandConsole
import Dispatch
import Documents
import Glibc
import Synchronization

/// Publishes staged documents while the program runs. The kernel reports when one was closed after writing, or
/// replaced.
final class StagedWatch: Sendable {
    private let documents: [StagedDocument]
    private let tell: @Sendable (String) -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let told = Mutex<Set<Int>>([])

    /// - Parameter tell: shows a line to the user.
    init(_ documents: [StagedDocument], tell: @escaping @Sendable (String) -> Void) {
        self.documents = documents
        self.tell = tell
        guard !documents.isEmpty else { return }
        let (changes, news) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        for document in documents {
            inotify_add_watch(descriptor, document.folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE))
        }
        // Dispatch objects are thread-safe, but are not declared so on Linux.
        nonisolated(unsafe) let source: any DispatchSourceRead = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "org.docent.staged"))
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            news.yield()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        news.onTermination = { _ in source.cancel() }
        task.withLock {
            $0 = Task { [weak self] in
                for await _ in changes {
                    // A save is rarely a single event.
                    try? await Task.sleep(for: .milliseconds(150))
                    guard !Task.isCancelled, let self else { break }
                    if await self.publish() { news.yield() }
                }
                news.finish()
            }
        }
    }

    /// Stops publishing; returns when no document is being published.
    func end() async {
        let task = task.withLock { $0 }
        task?.cancel()
        await task?.value
    }

    /// - Returns: whether to look again soon.
    private func publish() async -> Bool {
        var isBusy = false
        for document in documents {
            do {
                let step = try await document.publish()
                if step == .busy { isBusy = true }
                if step == .changedElsewhere, isNew(document.number) {
                    tell(
                        "\(SafeText.escaped(await document.record.location)) was changed by somebody else meanwhile. What the "
                            + "program saves is kept as a version when it ends.")
                }
            } catch let error as DocumentsError {
                if error.code != .cancelled, isNew(document.number) {
                    tell(
                        "\(SafeText.escaped(await document.record.location)) cannot be saved now: "
                            + "\(SafeText.escaped(error.message)) This is tried again at the end.")
                }
            } catch { isBusy = true }
        }
        return isBusy
    }

    private func isNew(_ number: Int) -> Bool { told.withLock { $0.insert(number).inserted } }
}
