import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A program that embeds the SDK `Documents` and does not change the disposition of SIGPIPE.
@Suite(.needs(.daemon)) struct BrokenPipeTests {
    @Test("a client with the default disposition of SIGPIPE survives a daemon killed during its calls")
    func client() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("Milk\n", to: "notes.txt")
            let probe = try await Probe(installation)
            try await probe.run("read", "LocalFolder:/notes.txt", until: "read")
            for round in 0..<(Sample.shared.isWhole ? 6 : 2) {
                // Claims and writes run at the same time, so that some are being sent when nothing reads any more.
                let busy = try (0..<4).map { _ in try probe.send("many", "LocalFolder:/notes.txt", "100") }
                let holding = try probe.send("hold-read", "LocalFolder:/notes.txt")
                try await installation.eventually("round \(round) has started") {
                    !probe.told(holding).isEmpty || !probe.process.isRunning
                }
                if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
                try probe.send("release", holding)
                try await installation.eventually("all of round \(round) have ended", within: 120) {
                    !probe.process.isRunning
                        || (busy + [holding]).allSatisfy { id in
                            probe.kinds(id).contains { ["ok", "error", "released"].contains($0) }
                        }
                }
                try #require(probe.process.isRunning, "it ended with \(probe.process.terminationStatus)")
            }
            let text = try await probe.run("read", "LocalFolder:/notes.txt", until: "read")
            #expect(text.last?.hasPrefix("Milk") == true, "\(text)")
        }
    }
}
