/// Pauses for polling loops.
package enum Pause {
    /// Sleeps for the whole duration even in a cancelled task, where `Task.sleep` returns at once and a loop would
    /// spin.
    package static func uncancelled(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}
