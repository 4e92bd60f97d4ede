import ArgumentParser
import CommandConsole
import Documents
import SignInConversation

struct DriveRemoveDeviceCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-device", abstract: "Shut a machine out of a drive, and change the drive's keys.",
        discussion: """
            For a machine that was lost, stolen or given away. What it had sent stays in the drive; what it writes from \
            now on is ignored by all other machines. Everything that they write from now on is sealed with a key that \
            it does not get. It still has what it had, and can open what is in the store already: give the others new \
            access keys to the bucket, so that it cannot fetch or damage anything there.

            EXAMPLES
              docent drive remove-device laptop
              docent drive remove-device 8c21fa home --yes
            """)

    @Argument(
        help: "The machine: its name, or the first digits of its identifier; `docent drive devices --json` lists both.")
    var machine: String

    @OptionGroup var selection: DriveSelection

    @Flag(name: .long, help: "Do not ask whether the machine may be shut out.")
    var yes = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the recovery phrase from this file, if it is needed. An old drive needs it once.", valueName: "file"),
        completion: .file())
    var recoveryFile: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !machine.isEmpty else { throw ValidationError("MACHINE must not be empty.") }
        if let recoveryFile, recoveryFile.isEmpty { throw ValidationError("--recovery-file must name a file.") }
    }

    func run() async throws {
        let drive = try await selection.open()
        let row = try Self.choose(machine, from: try await drive.perform("devices"))
        let name = row["name"] ?? ""
        try Confirmation.require(
            "Shut \"\(SafeText.escaped(name))\" out of the drive? It can come in again only by an invitation.",
            isGiven: yes)
        var arguments = ["machine": row["identifier"] ?? ""]
        if let recoveryFile { arguments["phrase"] = try RecoveryPhraseText.read(recoveryFile) }
        var answer = try await drive.perform("remove", arguments).first
        if answer?["state"] == "phrase" {
            arguments["phrase"] = try Self.phrase()
            answer = try await drive.perform("remove", arguments).first
        }
        guard answer?["state"] == "removed" else {
            throw DocumentsError(.failed, "The provider does not say that the machine is shut out.")
        }
        if format.json {
            try StandardOutput.write(
                JSONValue.object([
                    "identifier": JSONValue(row["identifier"]), "name": .string(name), "removed": .bool(true),
                ]).pretty)
        } else {
            try StandardOutput.write(DriveText.removed(name))
        }
    }

    private static func phrase() throws -> String {
        guard FormConversation.hasTerminal else {
            throw DocumentsError(
                .invalidArgument,
                "The recovery phrase of this drive is needed once, and there is no terminal to ask on.",
                suggestion: "Add --recovery-file with a file that contains it.")
        }
        return try SecretPrompt.ask("The recovery phrase of the drive, needed once: ")
    }

    /// The machine that is meant. Pure.
    static func choose(_ text: String, from rows: [[String: String]]) throws(DocumentsError) -> [String: String] {
        let named = rows.filter { $0["name"] == text }
        let present = named.filter { $0["removed"] == nil }
        var found = present.isEmpty ? named : present
        if found.isEmpty, text.count >= 6 {
            found = rows.filter { $0["identifier"]?.hasPrefix(text.lowercased()) == true }
        }
        guard let row = found.first else {
            throw DocumentsError(
                .notFound, "The drive has no machine \"\(text)\".", suggestion: "`docent drive devices` lists them.")
        }
        guard found.count == 1 else {
            throw DocumentsError(
                .invalidArgument, "Several machines of the drive are called \"\(text)\".",
                suggestion: "`docent drive devices --json` shows their identifiers: give the first digits of one.")
        }
        guard row["isThis"] != "yes" else {
            throw DocumentsError(
                .invalidArgument,
                rows.count { $0["removed"] == nil } == 1
                    ? "This is the only machine of the drive." : "A machine cannot shut itself out.",
                suggestion: "Run the command on another machine of the drive.")
        }
        return row
    }
}
