import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching
import ProviderInstallation

/// Mounts a folder at each login, by a unit in the user's folder of systemd.
struct LoginMount {
    private let units: String

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    init(_ environment: [String: String]) throws(DocumentsError) {
        units = try ConfigurationFolder.path(environment) + "/systemd/user"
    }

    private var path: String { units + "/" + LoginUnit.name }
    private var link: String { units + "/default.target.wants/" + LoginUnit.name }

    /// The folder that is mounted at each login; nil if none is.
    var folder: String? {
        guard let content = try? FileWork.read(path) else { return nil }
        return LoginUnit.folder(in: String(decoding: content, as: UTF8.self))
    }

    /// Mounts a folder at each login from now on, instead of any other.
    func add(_ folder: String) throws {
        guard let program = FileWork.ownProgram() else {
            throw DocumentsError(.failed, "The path of docent cannot be found.")
        }
        try requireOwn()
        try FileWork.makeDirectories(units + "/default.target.wants", mode: 0o700)
        let temporary = "\(path).\(getpid()).new"
        try FileWork.remove(temporary)
        try FileWork.create(temporary, Array(LoginUnit(program: program, folder: folder).text.utf8))
        do {
            try FileWork.move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        guard symlink("../" + LoginUnit.name, link) == 0 || errno == EEXIST else {
            throw FileWork.failure(link, errno)
        }
        Self.reload()
    }

    /// Mounts nothing at login from now on.
    ///
    /// - Returns: whether anything was.
    @discardableResult
    func remove() throws -> Bool {
        guard FileWork.isFile(path) else { return false }
        try requireOwn()
        try FileWork.remove(link)
        try FileWork.remove(path)
        Self.reload()
        return true
    }

    private func requireOwn() throws {
        guard FileWork.isFile(path), folder == nil else { return }
        throw DocumentsError(
            .conflict, "\(path) is not one that Docent wrote.", suggestion: "Give it another name first.")
    }

    /// Has a manager of the user's services read its units again, if there is one.
    private static func reload() {
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }),
            access(folder + "/systemd/private", F_OK) == 0
        else { return }
        for program in ["/usr/bin/systemctl", "/bin/systemctl"] where FileWork.isProgram(program) {
            let launch = ProgramLaunch(
                program, ["--user", "daemon-reload"], environment: .own, descriptors: [.null, .null, .null])
            guard let process = try? launch.start() else { return }
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return
        }
    }
}

/// The folder of a user's settings.
enum ConfigurationFolder {
    /// Its absolute path.
    static func path(_ environment: [String: String]) throws(DocumentsError) -> String {
        if let given = environment["XDG_CONFIG_HOME"], given.hasPrefix("/") { return given }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw DocumentsError(
                .invalidArgument, "HOME is not set.", suggestion: "Set HOME to the absolute path of your folder.")
        }
        return home + "/.config"
    }
}
