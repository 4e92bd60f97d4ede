import ExtensionValidation
import Foundation
import Glibc

/// Ends the process of a case, and all that it started, when the validator behind it has gone: killed, or interrupted.
enum OrphanWatch {
    /// Watches the descriptor to which the case reports, on a thread of its own.
    static func begin(_ channel: CInt) {
        Thread.detachNewThread {
            var watched = pollfd(fd: channel, events: 0, revents: 0)
            // An error is all that is waited for: nobody reads at the other end any more.
            while poll(&watched, 1, -1) < 0 || watched.revents & Int16(POLLERR | POLLNVAL) == 0 {}
            Leftovers.remove()
            _exit(7)
        }
    }
}
