import Dispatch
import Glibc

/// Runs the main actor's work in a program whose main loop is not Swift's: GLib's, Qt's, or its own.
///
/// Swift runs the main actor while `main` is asynchronous, or within `dispatchMain()`. Elsewhere nothing of it would ever run, and a
/// ``Document`` would never open. Let the program's main loop watch ``descriptor`` for reading and call ``drain()`` on the main
/// thread whenever it is readable; with GLib: `g_unix_fd_add(MainActorLoop.descriptor, G_IO_IN, …)`.
public enum MainActorLoop {
    /// Readable while there is work for the main actor. Owned by Swift: never read, never close it.
    public static var descriptor: CInt { mainQueueHandle() }

    /// Runs what there is to do for the main actor, and returns. Only on the main thread.
    public static func drain() {
        var count: UInt64 = 0
        // It counts wake-ups, and is readable until they have been read; it never blocks.
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        runMainQueue(nil)
    }
}

// What Foundation's run loop uses for the same purpose; libdispatch exports them on Linux for that.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueHandle() -> CInt
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func runMainQueue(_ unused: UnsafeMutableRawPointer?)
