import CLinux
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching
import ProviderInstallation

/// Whether Docent's window is the file dialog of this user's programs.
struct DesktopSetting {
    static let backEnd = "org.freedesktop.impl.portal.desktop.docent"
    static let requestsUnit = "docent-picker.service"

    struct Status: Equatable {
        /// Whether docent-portal is installed where D-Bus finds it.
        var isInstalled: Bool
        /// Whether programs get Docent's window as their file dialog.
        var isFileDialog: Bool
        /// Whether the requests of programs in a sandbox open a window at each login.
        var showsRequests: Bool
        /// Of xdg-desktop-portal; nil if it is not installed.
        var portalVersion: String?
        /// The files that `enable` has changed.
        var files: [String]

        var json: JSONValue {
            .object([
                "fileDialog": .bool(isFileDialog), "files": .array(files.map { .string($0) }),
                "installed": .bool(isInstalled), "portalVersion": portalVersion.map { .string($0) } ?? .null,
                "requests": .bool(showsRequests),
            ])
        }
    }

    private let configuration: String
    private let data: String
    private let systemData: [String]
    private let systemConfiguration: [String]
    private let record: String
    private let desktops: String
    /// What `xdg-desktop-portal --version` prints; nil if it is not installed.
    private let portalVersion: String?

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    init(_ environment: [String: String]) throws(DocumentsError) {
        try self.init(environment, portalVersion: UserServices.portalVersion())
    }

    init(_ environment: [String: String], portalVersion: String?) throws(DocumentsError) {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        func list(_ name: String, _ standard: String) -> [String] {
            let given = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? standard
            return given.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        configuration = try ConfigurationFolder.path(environment)
        let home = environment["HOME"] ?? ""
        data = absolute("XDG_DATA_HOME") ?? home + "/.local/share"
        systemData = list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        systemConfiguration = list("XDG_CONFIG_DIRS", "/etc/xdg")
        record = (absolute("XDG_STATE_HOME") ?? home + "/.local/state") + "/docent/desktop.json"
        desktops = environment["XDG_CURRENT_DESKTOP"] ?? ""
        self.portalVersion = portalVersion
    }

    // MARK: Changes

    func enable() throws {
        guard installed("dbus-1/services/\(Self.backEnd).service") != nil else {
            throw DocumentsError(
                .unavailable, "docent-portal is not installed where D-Bus looks for it.",
                suggestion: "Run `make install-desktop`; its folder must be in XDG_DATA_DIRS.")
        }
        guard let portalVersion else {
            throw DocumentsError(
                .unavailable, "xdg-desktop-portal is not installed.",
                suggestion: "Install the package xdg-desktop-portal.")
        }
        var changes = try DesktopRecord(path: record)
        // What an earlier run has changed, perhaps for another version.
        let kept = try changes.takeBack()
        guard kept.isEmpty else {
            throw DocumentsError(
                .conflict, "\(kept[0]) was changed after `docent desktop enable`.",
                suggestion: "Run `docent desktop disable` first.")
        }
        do {
            if PortalConfiguration.isRead(by: portalVersion) {
                try preferDocent(&changes)
            } else {
                try replacePortals(&changes)
            }
            if let unit = installed("systemd/user/\(Self.requestsUnit)") {
                try changes.link(requestsLink, to: unit)
            }
        } catch {
            // Half of it would be worse than nothing.
            _ = try? changes.takeBack()
            throw error
        }
    }

    /// - Returns: what was not taken back because it was changed meanwhile, whether there was anything to take back,
    ///   and the services that are not wanted any more.
    func disable() throws -> (kept: [String], isChanged: Bool, services: [String]) {
        var changes = try DesktopRecord(path: record)
        let services = changes.changes.contains { $0.path == requestsLink } ? [Self.requestsUnit] : []
        let isChanged = !changes.changes.isEmpty
        return (try changes.takeBack(), isChanged, services)
    }

    func status() throws -> Status {
        let made = try DesktopRecord(path: record).changes.filter { $0.written != nil || $0.link != nil }
        let isInstalled = installed("dbus-1/services/\(Self.backEnd).service") != nil
        var isFileDialog = false
        if let portalVersion, isInstalled {
            isFileDialog =
                PortalConfiguration.isRead(by: portalVersion)
                ? effectiveConfiguration().map { PortalConfiguration.prefersDocent($0.text) } ?? false
                : (try? FileWork.read(dropIn)).map { $0 == Array(dropInText.utf8) } ?? false
        }
        var link = stat()
        return Status(
            isInstalled: isInstalled, isFileDialog: isFileDialog, showsRequests: lstat(requestsLink, &link) == 0,
            portalVersion: portalVersion?.split(separator: " ").last.map(String.init), files: made.map(\.path))
    }

    // MARK: xdg-desktop-portal 1.17 and newer

    private func preferDocent(_ changes: inout DesktopRecord) throws {
        let before = effectiveConfiguration()
        let folder = configuration + "/xdg-desktop-portal/"
        // A file of the user stays the one that counts. A new one counts for this desktop alone.
        let path =
            before.flatMap { $0.path.hasPrefix(folder) ? $0.path : nil }
            ?? folder + PortalConfiguration.names(desktops)[0]
        try changes.write(Data(PortalConfiguration.preferringDocent(before?.text ?? "").utf8), to: path)
    }

    /// The file that counts now: the first one that there is.
    private func effectiveConfiguration() -> (path: String, text: String)? {
        let folders = [configuration] + systemConfiguration + ["/etc", data] + systemData
        for folder in folders {
            for name in PortalConfiguration.names(desktops) {
                let path = "\(folder)/xdg-desktop-portal/\(name)"
                if FileWork.isFile(path), let content = try? FileWork.read(path) {
                    return (path, String(decoding: content, as: UTF8.self))
                }
            }
        }
        return nil
    }

    // MARK: xdg-desktop-portal 1.16

    private var portals: String { data + "/docent/portals" }
    private var dropIn: String { configuration + "/systemd/user/xdg-desktop-portal.service.d/docent.conf" }
    private var dropInText: String {
        let path = portals.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
        return """
            # Written by `docent desktop enable`; `docent desktop disable` takes it back.
            [Service]
            Environment="XDG_DESKTOP_PORTAL_DIR=\(path)"

            """
    }

    /// A folder with Docent first among all that is installed: the first one counts.
    private func replacePortals(_ changes: inout DesktopRecord) throws {
        let used = desktops.split(separator: ":").joined(separator: ";")
        let text = """
            [portal]
            DBusName=\(Self.backEnd)
            Interfaces=\(PortalConfiguration.interface)
            UseIn=\(used.isEmpty ? "docent" : used)

            """
        try changes.write(Data(text.utf8), to: portals + "/00-docent.portal")
        let system = "/usr/share/xdg-desktop-portal/portals"
        for name in ViewFolder.entries(of: system).sorted() where name.hasSuffix(".portal") && name != "docent.portal" {
            try changes.link("\(portals)/\(name)", to: "\(system)/\(name)")
        }
        try changes.write(Data(dropInText.utf8), to: dropIn)
    }

    // MARK: Places

    private var requestsLink: String {
        configuration + "/systemd/user/graphical-session.target.wants/" + Self.requestsUnit
    }

    /// The path of an installed file; nil if it is not where programs look for it.
    private func installed(_ name: String) -> String? {
        ([data] + systemData).map { "\($0)/\(name)" }.first { FileWork.isFile($0) }
    }
}
