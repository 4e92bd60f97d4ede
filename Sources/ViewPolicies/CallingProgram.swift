/// A program that uses a mounted folder, as the kernel and the program itself describe it. Pure.
///
/// A program chooses its own name. What follows from it keeps programs from downloading by accident, and is no
/// protection against one that wants to.
package struct CallingProgram: Sendable, Hashable {
    /// The path of its file; the name of its thread if that cannot be read.
    package var executable: String
    /// The name of the script that an interpreter runs, without its folder; nil for other programs.
    package var script: String?
    /// The unit of systemd that it belongs to; nil if there is none.
    package var unit: String?
    /// The number of its process; nil when unknown.
    package var process: Int?
    /// The names of the program that started it, in the form of ``names``.
    package var starter: [String]

    package init(executable: String, script: String? = nil, unit: String? = nil, starter: [String] = []) {
        self.executable = executable
        self.script = script
        self.unit = unit
        self.starter = starter
    }

    /// The name to show to people.
    package var name: String { script ?? Self.fileName(of: executable) }

    /// The names by which rules can refer to it: that of the script, and that of its file.
    package var names: [String] { [script, Self.fileName(of: executable)].compactMap(\.self) }

    /// The same for all processes of the program.
    package var identity: String { executable + "\0" + (script ?? "") }

    /// The last component of a path.
    package static func fileName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
