import DocentTestSupport
import Foundation
import Testing

/// Notifications on the desktop, from the conflict to the button.
@Suite(.needs(.daemon, .server), .enabled(if: DesktopSession.isInstalled, "needs dbus-daemon and jeepney"))
struct NotificationTests {
    private struct Conflict: Decodable {
        var name: String
    }

    private static func withConflict(
        _ name: String = "a.txt", _ body: (RemoteInstallation, DesktopSession) async throws -> Void
    ) async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", name)
        } _: { remote in
            try await RemoteHistoryTests.collide(remote, name)
            try await DesktopSession.with(remote.installation) { try await body(remote, $0) }
        }
    }

    private static func conflicts(_ remote: RemoteInstallation) async throws -> Int {
        try await remote.docent("conflicts", "--json").succeeded().json([Conflict].self).count
    }

    @Test("V6: who loses a conflict is told, and a button settles it as docent resolve does")
    func settles() async throws {
        let name = "a & <b>.txt"
        try await Self.withConflict(name) { remote, desktop in
            try desktop.startNotifier()
            let shown = try await desktop.next { $0.title.hasPrefix(name) && $0.actions.contains("mine") }
            #expect(shown.title == name + " was changed elsewhere too" && shown.replaced == 0)
            #expect(shown.body.contains("a &amp; &lt;b&gt;.txt") && !shown.body.contains("<b>"), "\(shown.body)")
            #expect(shown.actions.contains("compare") && shown.actions.contains("both"))
            // Not one of its actions, and then one.
            try desktop.press("allow", in: shown.number)
            try desktop.press("mine", in: shown.number)
            try await desktop.closing(of: shown.number)
            #expect(try await Self.conflicts(remote) == 0)
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text(name) == "mine")
            #expect(Set(desktop.shown.map(\.number)).count == 1 && desktop.isNotifierRunning)
        }
    }

    @Test("a conflict that is settled elsewhere takes its notification along, also after a crash of the server")
    func elsewhere() async throws {
        try await Self.withConflict { remote, desktop in
            try desktop.startNotifier()
            let first = try await desktop.next { $0.title.hasPrefix("a.txt") }
            desktop.endServer()
            try await desktop.startServer()
            let second = try await desktop.next(after: 1) { $0.title.hasPrefix("a.txt") }
            #expect(first.replaced == 0 && second.replaced == 0)
            try await remote.docent("resolve", remote.location("a.txt"), "--keep", "theirs").succeeded()
            try await desktop.closing(of: second.number)
            #expect(desktop.isNotifierRunning)
        }
    }

    private static func notifications(
        _ installation: Installation, _ desktop: DesktopSession, _ arguments: String...
    ) async throws -> String {
        let outcome = try await installation.run(
            Installation.binaries + "/docent", ["notifications"] + arguments, environment: desktop.environment)
        return try outcome.succeeded().text
    }

    @Test("docent notifications on shows what there is at once, and off takes it away")
    func turnsOnAndOff() async throws {
        try await Self.withConflict { remote, desktop in
            let installation = remote.installation
            #expect(try await Self.notifications(installation, desktop).contains("not set"))
            #expect(try await Self.notifications(installation, desktop, "on") == "Notifications are on.\n")
            let shown = try await desktop.next { $0.title.hasPrefix("a.txt") }
            // A second one ends at once.
            try desktop.startNotifier()
            try await installation.eventually("the second one has ended") { !desktop.isNotifierRunning }
            struct Status: Decodable {
                var state, file: String
                var installed: Bool
            }
            let text = try await Self.notifications(installation, desktop, "status", "--json")
            let status = try JSONDecoder().decode(Status.self, from: Data(text.utf8))
            #expect(status.state == "on" && status.installed)
            #expect(installation.read(status.file)?.contains("docent-notifier") == true)
            #expect(try await Self.notifications(installation, desktop, "off") == "Notifications are off.\n")
            try await desktop.closing(of: shown.number)
            #expect(Set(desktop.shown.map(\.number)).count == 1)
            // Nothing is changed at a file of somebody else.
            try Data("[Desktop Entry]\n".utf8).write(to: URL(fileURLWithPath: status.file))
            let refused = try await installation.docent("notifications", "on")
            #expect(refused.status == 6 && installation.read(status.file) == "[Desktop Entry]\n")
        }
    }
}

/// Notifications about programs that are held, and sessions without any.
@Suite(.needs(.daemon), .enabled(if: DesktopSession.isInstalled, "needs dbus-daemon and jeepney"))
struct HeldNotificationTests {
    @Test("a program whose changes are held is shown with a button that lets it go on")
    func held() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { installation in
            for number in 0..<5 { try installation.write("\(number)", to: "f/\(number).txt") }
            #expect(try await installation.docent("rm", "-r", "LocalFolder:/f").status == 6)
            try await DesktopSession.with(installation) { desktop in
                try desktop.startNotifier()
                let shown = try await desktop.next { _ in true }
                #expect(shown.title == "Changes of org.docent.cli are held", "\(shown.title)")
                try desktop.press("allow", in: shown.number)
                try await desktop.closing(of: shown.number)
                #expect(try await !installation.docent("held").succeeded().text.contains("org.docent.cli"))
                try await installation.docent("rm", "-r", "LocalFolder:/f").succeeded()
            }
        }
    }

    @Test("without a session bus docent-notifier says so and ends; turned off, it ends silently")
    func withoutBus() async throws {
        try await Installation.withLocalFolder { installation in
            let program = Installation.binaries + "/docent-notifier"
            let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(installation.root)/none"]
            let ended = try await installation.run(program, [], environment: nowhere)
            #expect(ended.status == 5 && ended.errors.contains("no session bus"), "\(ended)")
            let text = try await installation.docent("notifications", "on").succeeded().text
            #expect(text.contains("next login"), "\(text)")
            try await installation.docent("notifications", "off").succeeded()
            let off = try await installation.run(program, [], environment: nowhere)
            #expect(off.status == 0 && off.errors.isEmpty, "\(off)")
        }
    }

    @Test("for a confined program it shows nothing, and ends")
    func confined() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_CHANGE_LIMIT": "3"]) { installation in
            for number in 0..<5 { try installation.write("\(number)", to: "f/\(number).txt") }
            #expect(try await installation.docent("rm", "-r", "LocalFolder:/f").status == 6)
            try await DesktopSession.with(installation) { desktop in
                try await IsolationTests.withSocket(installation, "org.example.Boxed") { socket in
                    let ended = try await installation.run(
                        Installation.binaries + "/docent-notifier", [],
                        environment: desktop.environment.merging(["DOCENT_SOCKET": socket]) { _, new in new })
                    #expect(ended.status == 3 && !ended.errors.isEmpty, "\(ended)")
                }
                #expect(desktop.shown.isEmpty)
            }
        }
    }
}
