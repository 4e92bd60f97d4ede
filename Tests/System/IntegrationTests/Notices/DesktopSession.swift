import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A session bus of its own with a notification server that a test plays: it records what it is asked to show, and does
/// what a person does.
final class DesktopSession {
    /// Whether Debian's bus, Python and its module for D-Bus are installed.
    static let isInstalled =
        access("/usr/bin/dbus-daemon", X_OK) == 0
        && access("/usr/lib/python3/dist-packages/jeepney/__init__.py", F_OK) == 0

    /// A notification that the server was asked to show.
    struct Shown: Decodable {
        var number, replaced: UInt32
        var title, body: String
        /// Keys and labels by turns.
        var actions: [String]
    }

    private struct Record: Decodable {
        var shown: Shown?
        var closed: UInt32?
    }

    let installation: Installation
    private let folder: String
    private var bus: ChildProcess?
    private var server: ChildProcess?
    private var notifier: ChildProcess?
    private var orders = ""

    /// The environment of a program of this session.
    var environment: [String: String] {
        installation.environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"]) { _, new in new }
    }

    private init(_ installation: Installation) {
        self.installation = installation
        folder = installation.root + "/desktop"
    }

    /// Runs a body in a session with a notification server, and ends the session.
    static func with(_ installation: Installation, _ body: (DesktopSession) async throws -> Void) async throws {
        let session = DesktopSession(installation)
        defer { session.end() }
        try FileManager.default.createDirectory(atPath: session.folder, withIntermediateDirectories: true)
        try await session.startBus()
        try await session.startServer()
        try await body(session)
    }

    private func startBus() async throws {
        // Without service folders the bus starts nothing that this test did not start.
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
            <allow own="*"/></policy></busconfig>
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/bus.conf"))
        bus = try ChildProcess(
            "/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork"], environment: environment)
        try await installation.eventually("the bus is there") {
            FileManager.default.fileExists(atPath: folder + "/bus")
        }
    }

    /// Starts the notification server.
    func startServer() async throws {
        orders = ""
        try Data().write(to: URL(fileURLWithPath: folder + "/orders"))
        let ready = folder + "/ready"
        try? FileManager.default.removeItem(atPath: ready)
        server = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.script, folder], environment: environment, errors: .null)
        try await installation.eventually("the notification server is there") {
            FileManager.default.fileExists(atPath: ready)
        }
    }

    /// Kills the notification server.
    func endServer() { Self.end(&server) }

    /// Starts docent-notifier, as a desktop does at login.
    func startNotifier() throws {
        notifier = try ChildProcess(Installation.binaries + "/docent-notifier", environment: environment)
    }

    var isNotifierRunning: Bool { notifier?.isRunning == true }

    private func end() {
        Self.end(&notifier)
        Self.end(&server)
        Self.end(&bus)
    }

    private static func end(_ process: inout ChildProcess?) {
        guard let running = process else { return }
        running.send(SIGKILL)
        running.waitUntilExit()
        process = nil
    }

    // MARK: What is shown

    private var records: [Record] {
        let lines = (installation.read(folder + "/log") ?? "").split(separator: "\n")
        return lines.compactMap { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    /// All that was shown, in order.
    var shown: [Shown] { records.compactMap(\.shown) }

    /// Whether a notification was taken away.
    func isClosed(_ number: UInt32) -> Bool { records.contains { $0.closed == number } }

    /// Waits until something is shown.
    func next(after count: Int = 0, _ condition: (Shown) -> Bool) async throws -> Shown {
        var found: Shown?
        try await installation.eventually("a notification is shown") {
            found = shown.dropFirst(count).first(where: condition)
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until a notification was taken away.
    func closing(of number: UInt32) async throws {
        try await installation.eventually("notification \(number) is taken away") { isClosed(number) }
    }

    /// Presses a button.
    func press(_ action: String, in number: UInt32) throws {
        orders += "\(number) \(action)\n"
        try Data(orders.utf8).write(to: URL(fileURLWithPath: folder + "/orders"), options: .atomic)
    }

    private static let script = """
        import json, sys
        from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        folder = sys.argv[1]
        name = "org.freedesktop.Notifications"
        place = DBusAddress("/org/freedesktop/Notifications", interface=name)
        bus = open_dbus_connection()
        bus.send_and_get_reply(message_bus.RequestName(name))
        log = open(folder + "/log", "a", buffering=1)
        open(folder + "/ready", "w").close()
        last, done = 0, 0
        while True:
            orders = open(folder + "/orders").read().splitlines()
            for order in orders[done:]:
                number, action = order.split()
                bus.send(new_signal(place, "ActionInvoked", "us", (int(number), action)))
            done = len(orders)
            try:
                message = bus.receive(timeout=0.05)
            except TimeoutError:
                continue
            if message.header.message_type != MessageType.method_call: continue
            member = message.header.fields[HeaderFields.member]
            if member == "GetCapabilities":
                bus.send(new_method_return(message, "as", (["actions", "body", "body-markup"],)))
            elif member == "Notify":
                application, replaced, icon, title, body, actions, hints, expiry = message.body
                last = replaced or last + 1
                log.write(json.dumps({"shown": {
                    "number": last, "replaced": replaced, "title": title, "body": body, "actions": actions}}) + "\\n")
                bus.send(new_method_return(message, "u", (last,)))
            elif member == "CloseNotification":
                log.write(json.dumps({"closed": message.body[0]}) + "\\n")
                bus.send(new_method_return(message))
            else:
                bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        """
}
