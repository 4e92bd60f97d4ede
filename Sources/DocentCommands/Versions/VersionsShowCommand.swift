import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import Varlink

struct VersionsShowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Write the content of a kept version.",
        discussion: """
            EXAMPLES
              docent versions show 17 | diff - plan.txt
              docent versions show 17 -o mine.txt
            """)

    @Argument(help: "The version, as `docent versions` names it.")
    var identifier: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A new file, or - for standard output; nothing is ever replaced.", valueName: "file"))
    var output = "-"

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let reply = try await DocumentsClient.administrator().call(
            AdministrationInterface.OpenVersion.self, .init(identifier: identifier))
        let source = try reply.descriptors.take(reply.value.file)
        guard output != "-" else { return try ContentPump.copy(from: source.raw, to: STDOUT_FILENO) }
        let path = Array(output.utf8)
        let target = try LocalFile.create(path)
        defer { close(target) }
        do {
            try ContentPump.copy(from: source.raw, to: target)
        } catch {
            _ = path.withTerminator { unlink($0) }
            throw error
        }
    }
}
