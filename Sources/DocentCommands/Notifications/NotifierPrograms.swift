import DesktopNotices
import Documents
import Glibc
import ProcessLaunching
import ProviderInstallation

/// `docent-notifier`, and the file that starts it at login.
struct NotifierPrograms {
    private let environment: [String: String]
    private let setting: NoticeSetting

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    init(_ environment: [String: String]) throws(DocumentsError) {
        self.environment = environment
        setting = try NoticeSetting(environment)
    }

    var status: NotificationsText.Status {
        .init(state: setting.state, isInstalled: program != nil, file: setting.path)
    }

    private var program: String? {
        DaemonLauncher.program("docent-notifier", variable: nil, environment: environment)
    }

    private static let notFound = DocumentsError(
        .unavailable, "docent-notifier was not found.", suggestion: "Install Docent with `make install`.")

    /// Turns notifications on or off, from the next login on. One that runs ends by itself when they are off.
    ///
    /// - Throws: ``DocumentsError``: `conflict` if the file is somebody else's.
    func write(isOn: Bool) throws {
        let program = program
        if isOn, program == nil { throw Self.notFound }
        guard setting.isOwn else {
            throw DocumentsError(
                .conflict, "\(setting.path) is not one that Docent wrote.", suggestion: "Give it another name first.")
        }
        try FileWork.makeDirectories(FileWork.parent(setting.path), mode: 0o700)
        let temporary = "\(setting.path).\(getpid()).new"
        try FileWork.remove(temporary)
        let text = NoticeSetting.text(program: program ?? "docent-notifier", isOn: isOn)
        try FileWork.create(temporary, Array(text.utf8))
        do {
            try FileWork.move(temporary, to: setting.path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Starts it. If it runs already, the second one ends at once.
    ///
    /// - Returns: false where no session can have notifications.
    func start() throws -> Bool {
        guard let program else { throw Self.notFound }
        guard hasSessionBus else { return false }
        var launch = ProgramLaunch(program, [], environment: .own, descriptors: [.null, .null, .null])
        // It outlives the terminal.
        launch.startsSession = true
        launch.folder = "/"
        do throws(LaunchFailure) {
            _ = try launch.start()
        } catch { throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).") }
        return true
    }

    private var hasSessionBus: Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
        return access(folder + "/bus", F_OK) == 0
    }
}
