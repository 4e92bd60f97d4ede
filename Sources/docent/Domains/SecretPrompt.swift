import Documents
import Glibc

/// Asking for a password.
enum SecretPrompt {
    private static let longest = 64 << 10

    /// The password: from the terminal without showing it, or the first line of standard input.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` where nobody can be asked, or for an empty password.
    static func read(passwordStdin: Bool) throws -> String {
        let secret: String
        if passwordStdin {
            secret = try line()
        } else {
            guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
                throw DocumentsError(
                    .invalidArgument, "There is no terminal to ask for the password on.",
                    suggestion: "Add --password-stdin and give it on standard input, or use --password-file.")
            }
            secret = try withoutEcho {
                StandardError.write("Password: ")
                defer { StandardError.write("\n") }
                return try line()
            }
        }
        guard !secret.isEmpty else { throw DocumentsError(.invalidArgument, "The password is empty.") }
        return secret
    }

    /// One line of standard input, without its end. By the byte, so that nothing behind it is taken.
    private static func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < longest {
            try ContentPump.waitUntilReadable(STDIN_FILENO)
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentsError(.invalidArgument, "The password is not UTF-8.")
        }
        return text
    }

    private static func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return try body() }
        let saved = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var before = saved
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        }
        return try body()
    }
}
