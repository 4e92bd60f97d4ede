import DaemonCore
import Foundation
import ServiceLifecycle

/// The daemon as a service of its process: shuts down in an orderly way on SIGTERM and SIGINT.
struct DaemonService: Service {
    let daemon: Daemon
    let readyDescriptor: Int32?

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await daemon.run { [readyDescriptor] in
                guard let readyDescriptor else { return }
                var byte: UInt8 = 1
                write(readyDescriptor, &byte, 1)
                close(readyDescriptor)
            }
        } onGracefulShutdown: {
            daemon.requestStop()
        }
    }
}
