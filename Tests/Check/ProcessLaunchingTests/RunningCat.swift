import Foundation
import Glibc
import ProcessLaunching
import Testing

/// `cat`, started by the launcher and past its own start, so that /proc shows the effects of the launcher. Killed when
/// this value is released.
final class RunningCat {
    let process: pid_t

    /// - Parameters:
    ///   - others: its descriptors from number 2 on.
    ///   - change: further changes to the launch.
    init(
        _ program: String = "/bin/cat", _ arguments: [String] = ["-"],
        environment: ProgramLaunch.Environment = .exactly([:]), others: [ProgramLaunch.Source] = [.null],
        change: (inout ProgramLaunch) -> Void = { _ in }
    ) throws {
        var (commands, answers): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        try #require(pipe(&commands) == 0 && pipe(&answers) == 0)
        defer { for end in answers + [commands[0]] { close(end) } }
        var launch = ProgramLaunch(
            program, arguments, environment: environment,
            descriptors: [.copy(commands[0]), .copy(answers[1])] + others)
        change(&launch)
        input = commands[1]
        process = try launch.start()
        // Its reply shows that it has been loaded.
        var byte: UInt8 = 7
        try #require(write(input, &byte, 1) == 1 && read(answers[0], &byte, 1) == 1)
    }

    deinit {
        close(input)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    private let input: CInt

    /// A file in its folder in /proc.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(process)/\(name)")), as: UTF8.self)
    }

    /// The texts in a file of its folder in /proc, each ended by a null byte.
    func list(_ name: String) throws -> [String] {
        let text = try text(name)
        #expect(text.isEmpty || text.hasSuffix("\0"))
        return text.dropLast().isEmpty ? [] : text.dropLast().components(separatedBy: "\0")
    }

    /// The target of a link in its folder in /proc.
    func target(_ name: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/\(name)")
    }

    /// The numbers of its descriptors.
    var descriptors: Set<Int> {
        get throws {
            Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { Int($0) })
        }
    }

    /// A set of signals, as /proc shows it.
    func signals(_ name: String) throws -> UInt64? {
        try text("status").split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .flatMap { UInt64($0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces), radix: 16) }
    }
}
