import CommandConsole
import Documents
import Glibc

/// Asks for a password.
package enum SecretPrompt {
    private static let longest = 64 << 10

    /// Reads the password from the terminal without showing it, or from the first line of standard input.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if there is no terminal to ask on, or for an empty password;
    ///   `cancelled`.
    package static func read(passwordStdin: Bool) throws -> String {
        let secret: String
        if passwordStdin {
            secret = try line() ?? ""
        } else {
            guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
                throw DocumentsError(
                    .invalidArgument, "There is no terminal to ask for the password on.",
                    suggestion: "Add --password-stdin and give it on standard input, or use --password-file.")
            }
            secret = try ask("Password: ")
        }
        guard !secret.isEmpty else { throw DocumentsError(.invalidArgument, "The password is empty.") }
        return secret
    }

    /// Asks on the terminal without showing the answer.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` at the end of input, and on a signal. The terminal is restored.
    package static func ask(_ question: String) throws -> String {
        try withoutEcho {
            StandardError.write(question)
            defer { StandardError.write("\n") }
            guard let line = try line() else { throw DocumentsError(.cancelled, "Nothing was changed.") }
            return line
        }
    }

    /// Reads one line of standard input, without its end; nil at the end of input. Reads byte by byte, so that nothing
    /// after the line is consumed.
    package static func line() throws -> String? {
        var bytes: [UInt8] = []
        defer { for index in bytes.indices { bytes[index] = 0 } }
        var byte: UInt8 = 0
        var hasByte = false
        while bytes.count < longest {
            try ContentPump.waitUntilReadable(STDIN_FILENO)
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            hasByte = count == 1
            guard hasByte, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        guard hasByte || !bytes.isEmpty else { return nil }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentsError(.invalidArgument, "The input is not UTF-8.")
        }
        return text
    }

    /// Runs a body without echo. No key ends or stops the program before the terminal is restored: ^C is a signal that
    /// this program handles, and ^\ and ^Z are disabled.
    static func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return try body() }
        let saved = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            for key in [VQUIT, VSUSP] { keys[Int(key)] = 0 }
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var before = saved
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        }
        return try body()
    }
}
