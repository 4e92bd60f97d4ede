/// What `docent desktop` says. Pure.
enum DesktopText {
    private static let later = "It counts from your next login on.\n"

    static func enabled(_ isApplied: Bool) -> String {
        "Docent's window is the file dialog of your programs.\n"
            + (isApplied ? "Programs that are running may need a restart.\n" : later)
    }

    static func disabled(wasEnabled: Bool, isApplied: Bool) -> String {
        guard wasEnabled else { return "It was not enabled.\n" }
        return "Your programs have the file dialog of before.\n" + (isApplied ? "" : later)
    }

    static func status(_ status: DesktopSetting.Status) -> String {
        var lines = [
            "File dialog:  " + (status.isFileDialog ? "Docent's window" : "that of the desktop"),
            "Requests:     " + (status.showsRequests ? "shown in a window at each login" : "shown by `docent picks`"),
            "Portal:       " + (status.portalVersion.map { "xdg-desktop-portal \($0)" } ?? "not installed"),
        ]
        if !status.isInstalled { lines.append("docent-portal is not installed: `make install-desktop`.") }
        return lines.map { $0 + "\n" }.joined()
    }
}
