import Dispatch
import Glibc

/// Runs the main actor's work in a program whose main loop is not Swift's, such as GLib's, Qt's or its own.
///
/// Swift runs the main actor while `main` is asynchronous, or within `dispatchMain()`. In other programs it never runs,
/// and a ``Document`` would never open. Let the program's main loop watch ``descriptor`` for reading, and call
/// ``drain()`` on the main thread whenever it is readable. With GLib: `g_unix_fd_add(MainActorLoop.descriptor, G_IO_IN,
/// …)`.
public enum MainActorLoop {
    /// Readable while there is work for the main actor. It belongs to Swift: never read or close it.
    public static var descriptor: CInt { mainQueueHandle() }

    /// Runs the pending work of the main actor, and returns. Call it only on the main thread.
    public static func drain() {
        var count: UInt64 = 0
        // The descriptor counts wake-ups and stays readable until it is read; reading never blocks.
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        runMainQueue(nil)
    }
}

// Foundation's run loop uses these for the same purpose; libdispatch exports them on Linux for that.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> CInt
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func runMainQueue(_ unused: UnsafeMutableRawPointer?)
