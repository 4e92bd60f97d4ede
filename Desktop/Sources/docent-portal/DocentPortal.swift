import CGIO
import CommandConsole
import Dispatch
import Glibc

/// Shows the window of Docent when a program asks the desktop portal for files: the back end
/// `org.freedesktop.impl.portal.desktop.docent` (docs/picker.md). D-Bus starts it.
@main
struct DocentPortal {
    static func main() {
        guard CommandLine.arguments.count == 1 else { fail(64, "usage: docent-portal; D-Bus starts it") }
        // A window that has ended reads nothing.
        signal(SIGPIPE, SIG_IGN)
        // MainActor runs on the main queue of Dispatch, whose events GLib waits for here.
        g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in
                var count: UInt64 = 0
                // Unread, the descriptor stays ready.
                _ = read(descriptor, &count, 8)
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        MainActor.assumeIsolated {
            guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else {
                fail(69, "There is no session bus.")
            }
            PortalService.start(on: connection)
        }
        let loop = g_main_loop_new(nil, 0)
        g_main_loop_run(loop)
    }

    static func fail(_ code: CInt, _ message: String) -> Never {
        StandardError.write("docent-portal: \(message)\n")
        exit(code)
    }
}
