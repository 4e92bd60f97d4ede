import CLinux
import Glibc
import ProcessLaunching
import ProviderInstallation

/// The services of this user's session, if systemd manages them.
enum UserServices {
    /// Has the portal, and the services of Docent, begin again with what is written now.
    ///
    /// - Returns: whether there is somebody who does that.
    static func apply(starting: [String] = [], stopping: [String] = []) -> Bool {
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }),
            access(folder + "/systemd/private", F_OK) == 0,
            let program = ["/usr/bin/systemctl", "/bin/systemctl"].first(where: FileWork.isProgram)
        else { return false }
        func call(_ arguments: String...) { _ = output(program, ["--user"] + arguments) }
        for unit in stopping { call("stop", "--no-block", unit) }
        call("daemon-reload")
        call("try-restart", "--no-block", "xdg-desktop-portal.service")
        if getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil {
            for unit in starting { call("start", "--no-block", unit) }
        }
        return true
    }

    /// What the installed portal says that it is; nil if there is none.
    static func portalVersion() -> String? {
        let places = ["/usr/libexec/xdg-desktop-portal", "/usr/lib/xdg-desktop-portal"]
        return places.first(where: FileWork.isProgram).flatMap { output($0, ["--version"]) }
            .flatMap { $0.split(separator: "\n").first.map(String.init) }
    }

    /// What a program writes; nil if it cannot be run.
    private static func output(_ program: String, _ arguments: [String]) -> String? {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let launch = ProgramLaunch(
            program, arguments, environment: .own, descriptors: [.null, .copy(ends[1]), .null])
        let process = try? launch.start()
        close(ends[1])
        guard let process else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count < 1 << 16 else { break }
            bytes += part.prefix(count)
        }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
