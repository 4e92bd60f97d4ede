/// Pauses of loops that wait for the end of something.
package enum Pause {
    /// Sleeps so long in a task that was cancelled, too, where `Task.sleep` returns at once and a loop would not wait
    /// but compute.
    package static func uncancelled(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}
