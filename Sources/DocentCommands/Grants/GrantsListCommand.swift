import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct GrantsListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who may do what with which document.",
        discussion: """
            KIND says how far the client's name can be trusted: a sandbox enforces it (run, flatpak, snap), or any \
            program outside every sandbox could state it (unconfined). ENDS: a right that was not taken ends when its \
            client has left. A grant on a folder covers its contents; after + are the names beside the document that \
            are granted with it.

            EXAMPLES
              docent grants list
              docent grants list --client org.example.editor --json
              docent grants list --kind unconfined --older-than 30d
              docent grants list LocalFolder:/notes.txt
            """)

    @OptionGroup var arguments: GrantArguments
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        var records = JSONLines()
        var isFirst = true
        let isJSON = format.json
        try await arguments.pages(.administrator()) { page, isLast in
            if isJSON {
                try records.write(page.map(JSONValue.init(grant:)))
                if isLast { try records.end() }
            } else if isFirst || !page.isEmpty {
                // Each page is a separate table: the column widths of later pages are not known yet.
                try StandardOutput.write((isFirst ? "" : "\n") + GrantText.table(page).shown)
            }
            isFirst = false
            return true
        }
    }
}
