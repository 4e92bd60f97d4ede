import CommandConsole
package import DocentInterfaces
import Documents
import Glibc

/// The source of secrets on the command line; at most one is set.
package struct SecretOptions: Equatable {
    /// The open descriptor that secrets are read from.
    package var descriptor: CInt?
    /// Whether secrets are the first lines of standard input.
    package var isStandardInput: Bool
    /// The program that asks for secrets.
    package var askpass: String?

    package init(descriptor: CInt?, isStandardInput: Bool, askpass: String?) {
        self.descriptor = descriptor
        self.isStandardInput = isStandardInput
        self.askpass = askpass
    }
}

/// The source of a form's secrets.
package enum SecretSource: Equatable {
    case terminal
    case descriptor(CInt)
    case standardInput
    /// A program that asks a person.
    case askpass(String)
    /// No source.
    case nowhere

    /// The source on the command line; otherwise the terminal; without a terminal, the program that the environment
    /// names. Pure.
    package static func choose(_ options: SecretOptions, environment: [String: String], hasTerminal: Bool)
        -> SecretSource
    {
        if let descriptor = options.descriptor { return .descriptor(descriptor) }
        if options.isStandardInput { return .standardInput }
        if let program = options.askpass { return .askpass(program) }
        if hasTerminal { return .terminal }
        for name in ["DOCENT_ASKPASS", "SSH_ASKPASS"] {
            if let program = environment[name], !program.isEmpty { return .askpass(program) }
        }
        return .nowhere
    }

    /// The source for questions during sign-in. A descriptor is at its end by then. Pure.
    package static func forQuestions(_ options: SecretOptions, environment: [String: String], hasTerminal: Bool)
        -> SecretSource
    {
        var others = options
        others.descriptor = nil
        return choose(others, environment: environment, hasTerminal: hasTerminal)
    }

    /// Whether a person can be asked again after a refusal.
    package var isTerminal: Bool { self == .terminal }

    /// Reads the secrets of the fields, by key. Blocks.
    ///
    /// - Parameters:
    ///   - account: named in the question.
    ///   - home: the home folder, for file names that are typed.
    /// - Throws: ``DocumentsError``: `invalidArgument`, `cancelled`, `deadlineExceeded`.
    package func read(_ fields: [Wire.SignInField], account: AccountName, home: String? = nil) throws -> [String:
        String]
    {
        guard !fields.isEmpty else { return [:] }
        try requireLines(fields)
        switch self {
        case .nowhere: return [:]
        case .descriptor(let descriptor):
            defer { if descriptor != STDIN_FILENO { close(descriptor) } }
            return try SecretLines.split(SecretDescriptor.read(descriptor), fields)
        case .standardInput:
            var lines: [String] = []
            while lines.count < fields.count, let line = try SecretPrompt.line() { lines.append(line) }
            return try SecretLines.take(lines, fields)
        case .terminal:
            return try ask(fields) { try Self.typed($0, home: home) }
        case .askpass(let program):
            return try ask(fields) { field in
                try Askpass(program: program).ask("\(field.label) for \(account): ")
            }
        }
    }

    /// Asks for a secret on the terminal.
    static func typed(_ field: Wire.SignInField, home: String?) throws -> String {
        guard field.isMultiline == true else { return try SecretPrompt.ask(prompt(field)) }
        if let help = field.help { StandardError.write("  \(SafeText.escaped(help))\n") }
        return try MultilinePrompt.ask(field, hasStandard: false, home: home)
    }

    /// If secrets are read line by line, no secret may have several lines.
    private func requireLines(_ fields: [Wire.SignInField]) throws(DocumentsError) {
        let isByLine =
            switch self {
            case .standardInput: true
            case .descriptor: fields.count > 1
            case .terminal, .askpass, .nowhere: false
            }
        guard isByLine, let long = fields.first(where: { $0.isMultiline == true }) else { return }
        throw DocumentsError(
            .invalidArgument, "\"\(long.label)\" may have several lines, but here each line is one secret.",
            suggestion: "Give it as a file: --set-file \(long.key)=FILE.")
    }

    /// The prompt for a secret.
    package static func prompt(_ field: Wire.SignInField) -> String {
        let help = field.help.map { "  \(SafeText.escaped($0))\n" } ?? ""
        return help + SafeText.escaped(field.label)
            + (field.isOptional == true ? " (may be empty): " : ": ")
    }

    private func ask(
        _ fields: [Wire.SignInField], _ question: (Wire.SignInField) throws -> String
    ) throws -> [String: String] {
        var secrets: [String: String] = [:]
        for field in fields {
            let secret = try question(field)
            guard !secret.isEmpty || field.isOptional == true else { throw SecretLines.empty(field) }
            secrets[field.key] = secret.isEmpty ? nil : secret
        }
        return secrets
    }
}
