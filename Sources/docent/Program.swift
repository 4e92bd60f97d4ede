import DocentCommands
import Glibc

@main
enum Program {
    static func main() async {
        Glibc.exit(await CommandRunner.run(Array(CommandLine.arguments.dropFirst())))
    }
}
