import Documents
import FoundationEssentials
import Glibc

/// The sandbox's `/etc/passwd` and `/etc/group`: only this user and `nobody`.
enum AccountFiles {
    /// Writes both files.
    ///
    /// - Returns: the files by their path inside the sandbox.
    static func make(in folder: String, home: String) throws -> [String: String] {
        let user = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "user"
        let texts = [
            "/etc/passwd": text(user, [String(getuid()), String(getgid()), "", home, "/bin/sh"])
                + text("nobody", ["65534", "65534", "", "/nonexistent", "/usr/sbin/nologin"]),
            "/etc/group": text(user, [String(getgid()), ""]) + text("nogroup", ["65534", ""]),
        ]
        var files: [String: String] = [:]
        for (place, text) in texts {
            let file = folder + "/." + place.split(separator: "/").joined(separator: "-")
            do {
                try Data(text.utf8).write(to: URL(filePath: file))
            } catch { throw DocumentsError(.noSpace, "\(file) cannot be written.") }
            files[place] = file
        }
        return files
    }

    static func text(_ name: String, _ fields: [String]) -> String {
        // A field cannot contain the separator or a line break.
        ([name, "x"] + fields).map { $0.filter { $0 != ":" && $0 != "\n" } }.joined(separator: ":") + "\n"
    }
}
