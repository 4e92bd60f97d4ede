import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import ProviderInstallation

struct ProviderInitCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Begin a provider: create a package that builds and can be installed.",
        discussion: """
            The package has a provider that keeps its documents in memory and in a file of its own, manifests, tests \
            and a README. It needs the toolchain of its language and what came with Docent, and nothing from the \
            network. No existing file is overwritten. docs/providers/first-provider.md continues from here.

            EXAMPLES
              docent provider init Postbox
              docent provider init Postbox --language c --identifier com.example.Postbox \\
                --directory ~/src/postbox
            """)

    @Argument(help: "The provider's name, such as Postbox: a capital letter, then letters and digits.")
    var name: String

    @Option(name: .long, help: "The language: swift, c or rust.")
    var language: TemplateLanguage = .swift

    @Option(
        name: .long,
        help: ArgumentHelp("Its bundle identifier, in reverse DNS; org.example.NAME by default.", valueName: "id"))
    var identifier: String?

    @Option(
        name: .long, help: ArgumentHelp("The package's directory; NAME by default.", valueName: "path"),
        completion: .directory)
    var directory: String?

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let names = try ProviderNames(name: name, identifier: identifier)
        let environment = ProcessInfo.processInfo.environment
        let library = try TemplateLibrary.find(environment: environment, program: FileWork.ownProgram())
        let target = directory ?? name
        let copy = TemplateCopy(template: try library.template(language), names: names, sdk: library.sdk)
        try copy.write(to: try Self.absolute(target))
        try StandardOutput.write(Self.next(names, language, target))
        for tool in language.tools where !Self.isOnPath(tool, environment["PATH"] ?? "") {
            StandardError.write("docent: note: \(tool), which the build needs, is not on PATH.\n")
        }
    }

    static func absolute(_ path: String) throws(DocumentsError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DocumentsError(
                .invalidArgument, "The directory needs a name.", suggestion: "Give one with --directory.")
        }
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let here = FileWork.canonical(".") else {
            throw DocumentsError(
                .notFound, "The working directory is gone.", suggestion: "Change to another directory.")
        }
        return here + "/" + path
    }

    /// The next steps, as commands to type.
    private static func next(_ names: ProviderNames, _ language: TemplateLanguage, _ target: String) -> String {
        """
        \(SafeText.escaped(target)) is now a package. Next:

          cd \(SafeText.escaped(quoted(target)))
          \(language.build)
          docent provider install --enable \(language.product)
          docent ls \(names.name):/
          docent provider validate \(names.identifier)

        """
    }

    private static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            byte >= 0x80 || "/._-+~".utf8.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
        return plain && !path.hasPrefix("-") ? path : "'" + path.replacing("'", with: #"'\''"#) + "'"
    }

    private static func isOnPath(_ tool: String, _ path: String) -> Bool {
        path.split(separator: ":").contains { FileWork.isFile($0 + "/" + tool) && access($0 + "/" + tool, X_OK) == 0 }
    }
}
