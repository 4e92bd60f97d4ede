import CFUSE
import CLinux
import Glibc
import ProcessLaunching

/// A mount of this process's user, made by fusermount3.
///
/// fusermount3's own option `auto_unmount` does not help an ordinary user: version 3.14 opens the dead mount as root,
/// who may not (EACCES), and leaves it.
package struct ViewMount: Sendable {
    /// Why a folder cannot be mounted on.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let message: String
        /// What the user can do; nil when nothing helps.
        package let suggestion: String?

        package init(message: String, suggestion: String?) {
            self.message = message
            self.suggestion = suggestion
        }

        package var description: String { message }
    }

    /// The type that `/proc/self/mountinfo` shows for the documents of all accounts.
    package static let type = "fuse.docent"
    /// The type of what one run of a confined program sees, which is mounted here only until its sandbox has it.
    package static let runType = "fuse.docent-run"
    /// The absolute path of the folder.
    package let path: String
    /// /dev/fuse, where the kernel's requests come from; the caller closes it.
    package let descriptor: CInt
    /// Mounts on a folder. Blocks until it is done.
    ///
    /// - Parameters:
    ///   - path: the absolute path of an empty folder of the user.
    ///   - type: ``type`` or ``runType``.
    package init(on path: String, type: String = Self.type) throws(Failure) {
        self.path = path
        let program = try Self.program()
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(message: "Cannot create a socket: \(Self.text(errno)).", suggestion: nil)
        }
        var errors: [CInt] = [-1, -1]
        let made = clinux_pipe(&errors)
        guard made == 0 else {
            for end in ends { close(end) }
            throw Failure(message: "Cannot create a pipe: \(Self.text(-made)).", suggestion: nil)
        }
        let launch = ProgramLaunch(
            program, ["-o", Self.options(type), "--", path],
            environment: .exactly(["_FUSE_COMMFD": "3", "PATH": "/usr/local/bin:/usr/bin:/bin"]),
            descriptors: [.null, .null, .copy(errors[1]), .copy(ends[1])])
        let process: pid_t
        do {
            process = try launch.start()
        } catch {
            for end in ends + errors { close(end) }
            throw Failure(message: "\(program) cannot be started: \(error.reason).", suggestion: nil)
        }
        close(ends[1])
        close(errors[1])
        var byte: UInt8 = 0
        var descriptor: CInt = -1
        _ = cfuse_receive(ends[0], &byte, 1, &descriptor)
        close(ends[0])
        var status: CInt = 0
        _ = clinux_wait(process, &status)
        let reason = Self.text(of: errors[0])
        close(errors[0])
        guard descriptor >= 0 else { throw Self.failure(path, reason) }
        self.descriptor = descriptor
    }

    private static func options(_ type: String) -> String {
        "fsname=docent,subtype=\(type.dropFirst("fuse.".count)),nosuid,nodev,default_permissions"
    }

    /// Unmounts a folder that this user mounted.
    ///
    /// - Parameter isLazy: whether programs may go on using what they have open.
    package static func unmount(_ path: String, isLazy: Bool = false) throws(Failure) {
        let program = try program()
        var errors: [CInt] = [-1, -1]
        guard clinux_pipe(&errors) == 0 else { throw Failure(message: "Cannot create a pipe.", suggestion: nil) }
        defer { close(errors[0]) }
        let launch = ProgramLaunch(
            program, (isLazy ? ["-u", "-z"] : ["-u"]) + ["--", path],
            environment: .exactly(["PATH": "/usr/local/bin:/usr/bin:/bin"]),
            descriptors: [.null, .null, .copy(errors[1])])
        let process: pid_t
        do {
            defer { close(errors[1]) }
            process = try launch.start()
        } catch {
            throw Failure(message: "\(program) cannot be started: \(error.reason).", suggestion: nil)
        }
        let reason = text(of: errors[0])
        var status: CInt = 0
        guard clinux_wait(process, &status) == 0, status == 0 else {
            let isBusy = reason.contains("busy")
            throw Failure(
                message: "\(path) cannot be unmounted: \(reason.isEmpty ? "fusermount3 failed" : reason).",
                suggestion: isBusy ? "Close the programs that use it; `fuser -vm \(path)` lists them." : nil)
        }
    }

    private static func program() throws(Failure) -> String {
        for folder in ["/usr/local/bin", "/usr/bin", "/bin"] where access(folder + "/fusermount3", X_OK) == 0 {
            return folder + "/fusermount3"
        }
        throw Failure(message: "fusermount3 is not installed.", suggestion: "Install the package fuse3.")
    }

    private static func failure(_ path: String, _ reason: String) -> Failure {
        if access("/dev/fuse", R_OK | W_OK) != 0 {
            return Failure(
                message: "\(path) cannot be mounted on: /dev/fuse cannot be opened: \(text(errno)).",
                suggestion: "The kernel module fuse must be loaded, and /dev/fuse be open to all users.")
        }
        return Failure(
            message: "\(path) cannot be mounted on: \(reason.isEmpty ? "fusermount3 failed" : reason).",
            suggestion: nil)
    }

    /// What a program wrote to its standard error, on one line.
    private static func text(of descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1024)
        while bytes.count < 4096 {
            let count = part.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { clinux_read(descriptor, $0, buffer.count) } ?? 0
            }
            guard count > 0 else { break }
            bytes += part[0..<count]
        }
        let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
        return text.hasPrefix("fusermount3: ") ? String(text.dropFirst("fusermount3: ".count)) : text
    }

    private static func text(_ number: CInt) -> String { String(cString: strerror(number)) }
}
