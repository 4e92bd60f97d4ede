import CommandConsole
import Documents
import Glibc
import ProcessLaunching

/// Compares the contents of open files. Their offsets stay where they are.
enum ContentComparison {
    private static let step = 1 << 16

    /// Whether a file looks like text: its beginning has no NUL, and is UTF-8.
    static func isText(_ file: CInt) throws -> Bool {
        var start = try read(file, at: 0)
        guard !start.contains(0) else { return false }
        // The last character may be cut off.
        if start.count == step, let last = start.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), start[last] >= 0x80
        {
            start.removeSubrange(last...)
        }
        return String(validating: start, as: UTF8.self) != nil
    }

    /// Whether two files have the same bytes.
    static func isSame(_ one: CInt, _ other: CInt) throws -> Bool {
        var offset = 0
        while true {
            try Task.checkCancellation()
            let (left, right) = (try read(one, at: offset), try read(other, at: offset))
            guard left == right else { return false }
            if left.isEmpty { return true }
            offset += left.count
        }
    }

    private static func read(_ file: CInt, at offset: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: step)
        // A file system may return less than is there.
        while bytes.count < step {
            let count = pread(file, &buffer, step - bytes.count, offset + bytes.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw DocumentsError(.failed, "The content cannot be read: \(String(cString: strerror(errno))).")
            }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes the lines that differ to standard output; on a terminal, without characters that could control it.
    ///
    /// - Throws: ``DocumentsError`` `unavailable` if there is no program `diff`.
    static func writeLines(_ old: (file: CInt, title: String), _ new: (file: CInt, title: String)) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DocumentsError(.failed, "The comparison cannot begin: \(String(cString: strerror(errno))).")
        }
        defer { close(ends[0]) }
        var launch = ProgramLaunch(
            "diff", ["-u", "--label", old.title, "--label", new.title, "/dev/fd/3", "/dev/fd/4"], environment: .own,
            descriptors: [.null, .copy(ends[1]), .own, .copy(old.file), .copy(new.file)])
        launch.searchesPath = true
        let process: pid_t
        do {
            process = try launch.start()
        } catch {
            close(ends[1])
            throw DocumentsError(
                .unavailable, "The program `diff` cannot be started: \(error.reason).",
                suggestion: "Install diffutils, or use `docent show` and a program of your choice.")
        }
        close(ends[1])
        defer { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
        guard StandardOutput.isTerminal else { return try ContentPump.copy(from: ends[0], to: STDOUT_FILENO) }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            try ContentPump.waitUntilReadable(ends[0])
            let count = Glibc.read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            line += buffer[..<count]
            // Whole lines, so that no character is cut.
            guard let end = line.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            try write(line[...end])
            line.removeSubrange(...end)
        }
        if !line.isEmpty { try write(line[...]) }
    }

    private static func write(_ lines: ArraySlice<UInt8>) throws {
        let text = String(decoding: lines, as: UTF8.self)
        try StandardOutput.write(
            text.split(separator: "\t", omittingEmptySubsequences: false).map { SafeText.escapedLines(String($0)) }
                .joined(separator: "\t"))
    }

    /// The facts about two versions, side by side.
    static func facts(_ old: FileVersion, _ new: FileVersion) -> Table {
        var table = Table(["", VersionText.kind(old), VersionText.kind(new)])
        func add(_ title: String, _ fact: (FileVersion) -> String?) {
            table.add([title, fact(old) ?? "-", fact(new) ?? "-"])
        }
        add("name") { $0.localizedName }
        add("size") { $0.size.map(ByteCount.text) }
        add("saved") { Timestamp.text($0.modificationDate) }
        add("by") { VersionText.saver($0) }
        return table
    }
}
