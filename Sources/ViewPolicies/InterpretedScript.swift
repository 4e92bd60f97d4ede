/// The script that an interpreter runs, according to its command line. Pure.
package enum InterpretedScript {
    /// How the command line of an interpreter is read.
    private struct Grammar {
        /// Letters of options that are followed by code instead of a script.
        var code: Set<Character> = []
        /// Letters of options that are followed by the name of a module.
        var module: Set<Character> = []
        /// Options that have a value of their own.
        var valued: Set<String> = []
    }

    private static let grammars: [(names: [String], grammar: Grammar)] = [
        (["python*", "pypy*"], Grammar(code: ["c"], module: ["m"], valued: ["-W", "-X"])),
        (["sh", "bash", "dash", "zsh", "ksh*", "mksh", "fish"], Grammar(code: ["c"], valued: ["-o", "-O"])),
        (
            ["perl*", "ruby*", "node", "nodejs", "lua*", "php*", "gjs*"],
            Grammar(code: ["e", "E"], valued: ["-I", "-r"])
        ),
        // These run what their first argument names. KDE's is a module for one kind of work, such as thumbnails.
        (["mono*", "dotnet", "kioworker", "kioslave*"], Grammar()),
    ]

    /// Whether a program runs scripts.
    ///
    /// - Parameter name: the name of its file.
    package static func isInterpreter(_ name: String) -> Bool { grammar(of: name) != nil }

    /// The name of the script or module, without folders; nil if there is none.
    ///
    /// - Parameters:
    ///   - interpreter: the name of its file.
    ///   - arguments: its command line, with the name of the program.
    package static func name(interpreter: String, arguments: [String]) -> String? {
        guard let grammar = grammar(of: interpreter) else { return nil }
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--" { return rest.first.flatMap(fileName) }
            guard argument.hasPrefix("-") else { return fileName(argument) }
            // Standard input.
            if argument == "-" { return nil }
            if grammar.valued.contains(argument) {
                _ = rest.popFirst()
            } else if !argument.hasPrefix("--"), let last = argument.last {
                // Letters can be written together; what follows belongs to the last one.
                if grammar.code.contains(last) { return nil }
                if grammar.module.contains(last) {
                    return rest.first?.split(separator: ".").first.map(String.init)
                }
            }
        }
        return nil
    }

    private static func grammar(of name: String) -> Grammar? {
        grammars.first { $0.names.contains { ProgramPattern($0)?.matches(name) == true } }?.grammar
    }

    private static func fileName(_ path: String) -> String? {
        let name = CallingProgram.fileName(of: path)
        return name.isEmpty ? nil : name
    }
}
