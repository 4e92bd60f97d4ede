import DocentTestSupport
import Foundation
import Glibc

/// A session bus with a real gnome-keyring, separate from the user's, for the daemon of one test.
final class KeyringBus: Sendable {
    static let isInstalled = program("dbus-daemon") != nil && program("gnome-keyring-daemon") != nil

    /// The variables with which the daemon finds it.
    var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(root)/bus"] }

    private let root = "/tmp/docent-bus-\(UUID().uuidString.prefix(8))"
    private let bus: ChildProcess

    init() throws {
        Admission.expect(.keyring)
        for folder in ["home", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        // Without service folders the bus starts nothing that this test did not start.
        try Data(
            """
            <busconfig><type>session</type><listen>unix:path=\(root)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
            <allow own="*"/></policy></busconfig>
            """.utf8
        ).write(to: URL(fileURLWithPath: root + "/bus.conf"))
        bus = try ChildProcess(
            Self.program("dbus-daemon") ?? "", ["--config-file=\(root)/bus.conf", "--nofork"],
            environment: ["PATH": "/usr/bin:/bin"])
    }

    deinit {
        bus.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: root)
    }

    /// Starts and unlocks a keyring, which runs until the returned process is ended.
    func startKeyring() throws -> ChildProcess {
        let password = Pipe()
        password.fileHandleForWriting.write(Data("password".utf8))
        try password.fileHandleForWriting.close()
        return try ChildProcess(
            Self.program("gnome-keyring-daemon") ?? "", ["--unlock", "--components=secrets", "--foreground"],
            environment: environment.merging([
                "PATH": "/usr/bin:/bin", "HOME": root + "/home", "XDG_RUNTIME_DIR": root + "/run",
            ]) { own, _ in own }, input: .descriptor(password.fileHandleForReading.fileDescriptor))
    }

    private static func program(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
