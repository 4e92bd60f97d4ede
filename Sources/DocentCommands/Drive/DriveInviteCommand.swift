import ArgumentParser
import CommandConsole
import Documents
import SignInConversation

struct DriveInviteCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Let another machine into a drive.",
        discussion: """
            Prints a code for `docent drive join` on the other machine as the last line of its output, and waits. When \
            the other machine has used the code, its name is shown, and you are asked whether it may come in. The code \
            is good once, for a few minutes, and only while this command runs.

            EXAMPLES
              docent drive invite
              docent drive invite home --minutes 5
              docent drive invite --yes
            """)

    @OptionGroup var selection: DriveSelection

    @Option(name: .long, help: ArgumentHelp("How long the code is good; at most 10.", valueName: "n"))
    var minutes = 10

    @Flag(name: .long, help: "Let in whoever uses the code, without asking.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard (1...10).contains(minutes) else { throw ValidationError("--minutes must be between 1 and 10.") }
    }

    func run() async throws {
        guard yes || FormConversation.hasTerminal else {
            throw DocumentsError(
                .invalidArgument, "There is no terminal to ask on whether the other machine may come in.",
                suggestion: "Add --yes to let in whoever uses the code.")
        }
        let drive = try await selection.open()
        guard let made = try await drive.perform("invite", ["minutes": String(minutes)]).first,
            let code = made["code"]
        else { throw DocumentsError(.failed, "The provider made no code.") }
        do {
            try show(code, expires: made["expires"], drive)
            let name = try await admit(code, drive)
            StandardError.write("\"\(SafeText.escaped(name))\" is let in.\n")
            guard format.json else { return }
            try StandardOutput.write(JSONValue.object(["guest": .string(name)]).compact + "\n")
        } catch {
            let error = error
            // Also when this command was interrupted.
            await Task { _ = try? await drive.perform("withdraw", ["code": code]) }.value
            throw error
        }
    }

    private func show(_ code: String, expires: String?, _ drive: DriveSelection.Opened) throws {
        StandardError.write(DriveText.invitation(drive.domain, minutes: minutes))
        guard format.json else { return try StandardOutput.write(SafeText.escaped(code) + "\n") }
        try StandardOutput.write(
            JSONValue.object([
                "code": .string(code), "expires": JSONValue(DriveText.time(expires)),
            ]).compact + "\n")
    }

    /// Waits for a guest and lets it in.
    ///
    /// - Returns: Its name.
    private func admit(_ code: String, _ drive: DriveSelection.Opened) async throws -> String {
        let end = ContinuousClock.now + .seconds(60 * minutes)
        while true {
            var row = ["state": "waiting"]
            do { row = try await drive.perform("guest", ["code": code]).first ?? [:] } catch let error
                as DocumentsError where error.code == .unavailable && ContinuousClock.now < end
            {
                // The store may be back in a moment; the invitation ends in any case.
            }
            switch row["state"] {
            case "asking":
                let name = row["name"] ?? ""
                try Confirmation.require("Let \"\(SafeText.escaped(name))\" into the drive?", isGiven: yes)
                _ = try await drive.perform("admit", ["code": code, "key": row["key"] ?? ""])
                return name
            case "waiting": try await Task.sleep(for: .seconds(1))
            default:
                throw DocumentsError(
                    .deadlineExceeded, "Nobody used the code in time.", suggestion: "Make a new one.")
            }
        }
    }
}
