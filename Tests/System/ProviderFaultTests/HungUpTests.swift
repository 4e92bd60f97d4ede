import DocentTestSupport
import Foundation
import Testing

/// A provider whose host closes the connection.
@Suite(.needs(.programs)) struct HungUpTests {
    @Test("a provider with the default disposition of SIGPIPE returns when its host goes away during calls")
    func hungUp() async throws {
        let library = Installation.binaries + "/libFaulty.so"
        let outcome = try await Outcome.run(
            "/usr/bin/python3", ["-c", Self.host, Installation.binaries + "/loader-probe", library], input: nil,
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"], folder: "/")
        // A negative number is a signal; 13 is SIGPIPE.
        let endings = try outcome.succeeded().text.split(separator: "\n")
        #expect(endings.count == 12 && endings.allSatisfy { $0 == "0" }, "\(endings) \(outcome.errors)")
    }

    /// Starts the provider repeatedly, sends requests, and closes the connection: at once, after some answers, or while
    /// answers are pending.
    private static let host = """
        import contextlib, signal, socket, subprocess, os, sys
        call = b'{"method": "org.varlink.service.GetInfo"}\\0'
        for round in range(12):
            ours, theirs = socket.socketpair()
            def ready(theirs=theirs.fileno()):
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.dup2(theirs, 3)
            process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, close_fds=False, preexec_fn=ready)
            theirs.close()
            if round % 3:
                ours.sendall(call)
                ours.recv(1)
            ours.sendall(call * 200)
            if round % 3 == 2:
                ours.shutdown(socket.SHUT_RD)
                # It may have ended already.
                with contextlib.suppress(OSError): ours.sendall(call)
            else:
                ours.close()
            print(process.wait(60))
        """
}
