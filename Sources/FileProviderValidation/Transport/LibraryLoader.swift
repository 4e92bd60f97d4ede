import CLinux
import Dispatch
import ExtensionABI
import Glibc

/// The plain way to run a provider's library: loads it into this process without a sandbox and calls its one symbol.
///
/// For a program that ``WireTransport/spawned(_:arguments:environment:)`` starts: the process belongs to the provider
/// from here on.
package enum LibraryLoader {
    private typealias Entry = @convention(c) (UnsafePointer<docent_extension_context_v1>) -> Int32

    /// How long a library may take to end after the host has closed the connection, in seconds.
    private static let patience = 5

    /// Loads a library and lets it serve a socket until the host closes the connection.
    ///
    /// - Parameters:
    ///   - library: absolute path.
    ///   - socket: the descriptor, which the library owns from now on.
    /// - Returns: the exit code for the process: the library's own, or 66 when it cannot be loaded; standard error says
    ///   why.
    package static func serve(library: String, socket: CInt) -> Int32 {
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
            return fail("\(library) cannot be loaded: " + (dlerror().map { String(cString: $0) } ?? "no reason given"))
        }
        guard let symbol = dlsym(handle, "docent_extension_main_v1") else {
            return fail("\(library) does not export docent_extension_main_v1.")
        }
        watch(clinux_dup(socket))
        let entry = unsafeBitCast(symbol, to: Entry.self)
        var context = docent_extension_context_v1()
        context.size = MemoryLayout<docent_extension_context_v1>.size
        context.socket = socket
        return entry(&context)
    }

    // Otherwise a library that continues after the host is gone would run forever.
    private static func watch(_ socket: CInt) {
        guard socket >= 0 else { return }
        DispatchQueue(label: "org.docent.validation.lifeline").async {
            var entry = pollfd(fd: socket, events: 0, revents: 0)
            while true {
                let ready = poll(&entry, 1, -1)
                if ready > 0 || (ready < 0 && errno != EINTR) { break }
            }
            sleep(UInt32(patience))
            _ = fail("The library did not end within \(patience) seconds after the host had closed the connection.")
            _exit(65)
        }
    }

    private static func fail(_ message: String) -> Int32 {
        let line = Array("docent: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        return 66
    }
}
