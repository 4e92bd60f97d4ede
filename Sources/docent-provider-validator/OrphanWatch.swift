import ExtensionValidation
import Foundation
import Glibc

/// Ends the process of a case, and everything that it started, when the validator itself was killed or interrupted.
enum OrphanWatch {
    /// Watches the descriptor to which the case reports, in a separate thread.
    static func begin(_ channel: CInt) {
        Thread.detachNewThread {
            var watched = pollfd(fd: channel, events: 0, revents: 0)
            // Waits only for an error: the other end has no reader any more.
            while poll(&watched, 1, -1) < 0 || watched.revents & Int16(POLLERR | POLLNVAL) == 0 {}
            Leftovers.remove()
            _exit(7)
        }
    }
}
