import DocentInterfaces
import Documents
import Glibc

/// Where the secrets of a form come from.
enum SecretSource: Equatable {
    case terminal
    case descriptor(CInt)
    case standardInput
    /// A program that asks.
    case askpass(String)
    /// There is none.
    case nowhere

    /// What the command line says; else the terminal, and without one the program that the environment names. Pure.
    static func choose(_ options: SignInOptions, environment: [String: String], hasTerminal: Bool)
        -> SecretSource
    {
        if let descriptor = options.secretDescriptor { return .descriptor(descriptor) }
        if options.passwordStdin { return .standardInput }
        if let program = options.askpass { return .askpass(program) }
        if hasTerminal { return .terminal }
        for name in ["DOCENT_ASKPASS", "SSH_ASKPASS"] {
            if let program = environment[name], !program.isEmpty { return .askpass(program) }
        }
        return .nowhere
    }

    /// Whether a person is there to be asked again when the service refused.
    var isTerminal: Bool { self == .terminal }

    /// The secrets of these fields, by key.
    ///
    /// - Parameter account: for the question.
    /// - Throws: ``DocumentsError``: `invalidArgument`, `cancelled`, `deadlineExceeded`.
    func read(_ fields: [Wire.SignInField], account: AccountName) throws -> [String: String] {
        guard !fields.isEmpty else { return [:] }
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
            return try ask(fields) { try SecretPrompt.ask(Self.prompt($0)) }
        case .askpass(let program):
            return try ask(fields) { field in
                try Askpass(program: program).ask("\(field.label) for \(account): ")
            }
        }
    }

    /// What is shown before a secret is typed.
    static func prompt(_ field: Wire.SignInField) -> String {
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
