import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct IndexStatusCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how far each account is in the index.",
        discussion: """
            States: unlisted (nobody has listed its folders yet), listing, paused, done, failed. The numbers are those \
            of the known items, and of the folders that are listed and still to be listed in this round.

            EXAMPLES
              docent index status
              docent index status --json | jq '.accounts[].state'
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let status = try await DocumentsClient.administrator().call(
            AdministrationInterface.SearchIndex.self, .init()
        ).value
        if format.json { return try StandardOutput.write(JSONValue(index: status).pretty) }
        guard status.exists else {
            return try StandardOutput.write("There is no index yet; the first `docent find` makes it.\n")
        }
        var table = Table(
            ["account", "state", "items", "listed", "waiting", "failed", "last", "message"], numbers: [2, 3, 4, 5])
        for account in status.accounts {
            table.add([
                account.domain.isEmpty ? account.provider : "\(account.provider)@\(account.domain)", account.state,
                "\(account.documents)", "\(account.listedFolders)", "\(account.waitingFolders)", "\(account.failures)",
                Timestamp.text(account.finished) ?? "-", account.message ?? "",
            ])
        }
        try StandardOutput.write(table.shown)
        try StandardOutput.write("\(SafeText.escaped(status.path)): \(ByteCount.text(status.bytes))\n")
    }
}

extension JSONValue {
    /// The state of the index.
    init(index status: AdministrationInterface.SearchIndex.Reply) {
        self = .object([
            "exists": .bool(status.exists),
            "path": .string(status.path),
            "bytes": .integer(status.bytes),
            "accounts": .array(
                status.accounts.map { account in
                    .object([
                        "provider": .string(account.provider), "domain": .string(account.domain),
                        "state": .string(account.state), "documents": .integer(account.documents),
                        "listedFolders": .integer(account.listedFolders),
                        "waitingFolders": .integer(account.waitingFolders), "failures": .integer(account.failures),
                        "message": JSONValue(account.message), "finished": JSONValue(Timestamp.text(account.finished)),
                    ])
                }),
        ])
    }
}
