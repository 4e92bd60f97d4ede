import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Extensions never reach the session bus (O6): the same code of the same plugin, with and without its sandbox.
@Suite(.needs(.daemon, .keyring, within: .seconds(300))) struct BusReachTests {
    private static let bundle = "org.example.Reacher"

    /// A second real bus, with an abstract name.
    private static func withAbstractBus(_ body: (String) async throws -> Void) async throws {
        let name = "docent-bus-\(UUID().uuidString.prefix(12))"
        let bus = try ChildProcess(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:abstract=\(name)"],
            environment: ["PATH": "/usr/bin:/bin"])
        defer {
            bus.send(SIGKILL)
            bus.waitUntilExit()
        }
        let table = { (try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)) ?? "" }
        for _ in 0..<600 where !table().contains("@\(name)") { try await Task.sleep(for: .milliseconds(50)) }
        try await body(name)
    }

    @Test(
        "O6: a sandboxed extension neither reaches the bus nor learns its address; the network entitlement changes nothing"
    )
    func confined() async throws {
        try await KeychainStage.with { stage in
            try await Self.withAbstractBus { abstract in
                let socket = stage.services.directory + "/bus"
                // The usual address of the bus on a desktop.
                try FileManager.default.createSymbolicLink(
                    atPath: stage.installation.root + "/run/bus", withDestinationPath: socket)
                let places = [
                    ("path", socket), ("path", stage.installation.root + "/run/bus"), ("abstract", abstract),
                ]
                try await stage.install(Self.bundle, groups: ["org.example.g"])
                for (how, place) in places {
                    let answer = try await stage.tell(
                        Self.bundle, "reach", how, place.replacingOccurrences(of: "/", with: "!"))
                    #expect(
                        ["errno \(EACCES)", "errno \(ENOENT)", "errno \(EPERM)"].contains(answer), "\(how): \(answer)")
                }
                #expect(try await stage.tell(Self.bundle, "reach", "environment") == "told ")
                // It can still use its own group.
                #expect(try await stage.tell(Self.bundle, "store", "", "", "a", KeychainStage.backwards()) == "stored")

                try await stage.enable(Self.bundle, ["--unsandboxed"])
                for (how, place) in places {
                    let answer = try await stage.tell(
                        Self.bundle, "reach", how, place.replacingOccurrences(of: "/", with: "!"))
                    #expect(answer == "reached", "without the sandbox, \(how): \(answer)")
                }
            }
        }
    }
}
