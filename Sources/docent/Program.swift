import DocentCommands
import Glibc

/// The command `docent`.
@main
enum Program {
    static func main() async {
        Glibc.exit(await CommandRunner.run(Array(CommandLine.arguments.dropFirst())))
    }
}
