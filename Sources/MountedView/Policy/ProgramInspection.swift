import Glibc
import ViewMounting
import ViewPolicies

/// Finds in /proc which program a thread belongs to. May block: a program can be busy with its own memory.
enum ProgramInspection {
    /// The program of a thread; nil for this process itself, and if the thread has ended.
    static func program(of thread: UInt32) -> CallingProgram? {
        guard let status = KernelTextFile.text("/proc/\(thread)/status"),
            let process = number("Tgid", in: status), process != Int(getpid()),
            var program = identity(of: String(thread))
        else { return nil }
        program.process = process
        program.unit = KernelTextFile.text("/proc/\(thread)/cgroup").flatMap(UnitName.inControlGroups)
        if let parent = number("PPid", in: status), parent > 1 {
            program.starter = identity(of: String(parent))?.names ?? []
        }
        return program
    }

    private static func identity(of process: String) -> CallingProgram? {
        guard let path = executable(of: process) else { return nil }
        let name = CallingProgram.fileName(of: path)
        guard InterpretedScript.isInterpreter(name), let line = KernelTextFile.text("/proc/\(process)/cmdline") else {
            return CallingProgram(executable: path)
        }
        let arguments = line.split(separator: "\0").map(String.init)
        return CallingProgram(
            executable: path, script: InterpretedScript.name(interpreter: name, arguments: arguments))
    }

    private static func executable(of process: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard count > 0 else {
            return KernelTextFile.text("/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
        }
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        // It was replaced while it runs, for example by an update.
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
    }

    private static func number(_ field: String, in status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix(field + ":") {
            let value = line.dropFirst(field.count + 1).drop { $0 == "\t" || $0 == " " }
            return Int(value)
        }
        return nil
    }
}
