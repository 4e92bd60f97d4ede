import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct ThumbnailCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail", abstract: "Get a small picture of a document, without downloading it.",
        discussion: """
            The picture is a PNG: an earlier one of the same version, else one of the provider, else one that the \
            desktop's thumbnailers draw in a sandbox, if the content is on this machine. The path of the file that \
            keeps it is written to standard output. With -o it is copied; nothing is ever replaced.

            EXAMPLES
              docent thumbnail webdav@work:/photo.jpg
              docent thumbnail webdav:/photo.jpg --size 512 -o small.png
              docent thumbnail --json LocalFolder:/plan.pdf
            """)

    /// The sizes that there are.
    static let sizes = 1...1024

    @Argument(help: LocationText.help, completion: LocationText.completion, transform: DocumentName.parse)
    var location: DocumentName

    @Option(
        name: .long,
        help: ArgumentHelp("How many pixels the longer side is to have, 1 to 1024.", valueName: "pixels"))
    var size = 256

    @Option(name: .shortAndLong, help: ArgumentHelp("A new file, or - for standard output.", valueName: "file"))
    var output: String?

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard Self.sizes.contains(size) else { throw ValidationError("--size is a number from 1 to 1024.") }
        guard output != "-" || !format.json else {
            throw ValidationError("Standard output takes either the picture or --json, not both.")
        }
    }

    func run() async throws {
        let client = DocumentsClient.administrator()
        let picture = try await client.thumbnail(of: try await location.reference(client), size: size)
        if output == "-" {
            guard !StandardOutput.isTerminal else {
                throw DocumentsError(
                    .invalidArgument, "A picture is not written to a terminal.",
                    suggestion: "Choose a file with -o, or redirect standard output.")
            }
            return try StandardOutput.write(picture.data)
        }
        if let output { try Self.keep(picture.data, at: Array(output.utf8)) }
        if format.json {
            return try StandardOutput.write(Self.record(picture, output: output).pretty)
        }
        guard let path = output ?? picture.path else {
            throw DocumentsError(
                .failed, "The picture is not kept on this machine.", suggestion: "Choose a file with -o.")
        }
        try StandardOutput.write((StandardOutput.isTerminal ? SafeText.escaped(path) : path) + "\n")
    }

    private static func keep(_ picture: [UInt8], at path: [UInt8]) throws {
        let target = try LocalFile.create(path)
        defer { close(target) }
        do {
            try ContentPump.write(picture, to: target)
        } catch {
            _ = path.withTerminator { unlink($0) }
            throw error
        }
    }

    /// The answer as JSON.
    static func record(_ picture: DocumentThumbnail, output: String?) -> JSONValue {
        .object([
            "path": JSONValue(output ?? picture.path), "width": .integer(picture.width),
            "height": .integer(picture.height), "source": .string(picture.source.rawValue),
            "version": JSONValue(picture.version),
        ])
    }
}
