import ArgumentParser
import DesktopNotices
import Dispatch
import FoundationEssentials
import Glibc

/// The program that desktops start at login: it shows notifications, as long as the session lasts.
@main
struct NotifierProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docent-notifier", abstract: "Shows a notification when a conflict has to be settled.",
        discussion: "`docent notifications on` starts it, now and at each login; `docent notifications off` ends it.")

    /// The name that one process of a session has on its bus.
    private static let name = "org.docent.Notifier"

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let environment = ProcessInfo.processInfo.environment
        let setting = try NoticeSetting(environment)
        guard setting.state != .off else { return }
        let notifier = Notifier(source: .standard(), programs: ActionPrograms(environment)) { setting.state == .off }
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { notifier.stop() }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        do {
            if case .refused(let reason) = try await notifier.run(as: Self.name) { Self.fail(reason, 3) }
        } catch SessionBus.Refusal.isRunning {
            return
        } catch SessionBus.Refusal.noBus {
            Self.fail("There is no session bus, and so nobody to show notifications.", 5)
        }
    }

    private static func fail(_ text: String, _ status: CInt) -> Never {
        let line = "docent-notifier: \(text)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        Glibc.exit(status)
    }
}
