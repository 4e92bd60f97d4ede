import CommandConsole
import DesktopPrograms
import Documents
import PickerDialog
import TerminalPicker

/// The paths of what was chosen in a file dialog: those of documents are in the mounted view, which is mounted if it is
/// not.
@MainActor
struct ChosenPaths {
    private let request: DialogRequest
    private let source: WindowSource

    init(_ request: DialogRequest, _ source: WindowSource) {
        self.request = request
        self.source = source
    }

    func paths(_ answer: DialogAnswer) async throws(DocumentsError) -> [String] {
        guard let names = request.files?.names, !names.isEmpty, let folder = answer.locations.first else {
            var paths: [String] = []
            for location in answer.locations { paths.append(try await path(location)) }
            return paths
        }
        let top = try await path(of: folder)
        var taken: Set<String> = []
        var paths: [String] = []
        for name in names {
            let free = try await SavedNames.free(name) { [source] candidate throws(DocumentsError) in
                if taken.contains(candidate) { return true }
                return try await source.lookUp(folder.appending(candidate)) != nil
            }
            taken.insert(free)
            paths.append(Self.joined(top, free))
        }
        return paths
    }

    private func path(_ location: DocumentLocation) async throws(DocumentsError) -> String {
        // What is saved need not be there.
        request.choosesName
            ? Self.joined(try await path(of: location.parent), location.name) : try await path(of: location)
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The path of something that is there.
    private func path(of location: DocumentLocation) async throws(DocumentsError) -> String {
        if LocalFiles.contains(location) { return location.path }
        let found = try await docent("path", "--", location.description)
        if let path = found.path { return path }
        guard found.code == ExitStatus.unavailable.rawValue else { throw found.error }
        // Nothing is mounted, most likely.
        let mounted = try await docent("mount")
        guard mounted.code == ExitStatus.done.rawValue else { throw mounted.error }
        let again = try await docent("path", "--", location.description)
        guard let path = again.path else { throw again.error }
        return path
    }

    private struct Answer {
        var code: CInt?
        var text: String

        /// The one line of a success.
        var path: String? {
            code == ExitStatus.done.rawValue && text.hasPrefix("/") && text.hasSuffix("\n")
                ? String(text.dropLast()) : nil
        }

        var error: DocumentsError {
            let words = text.split(separator: "\n").map(String.init)
            return DocumentsError(
                .unavailable, words.first ?? "docent has ended without an answer.",
                suggestion: words.count > 1 ? words[1] : nil)
        }
    }

    private func docent(_ arguments: String...) async throws(DocumentsError) -> Answer {
        guard let program = ProgramPlace.path(of: "docent"), let ending = await ChildProgram.run(program, arguments)
        else { throw DocumentsError(.unavailable, "The program docent is not installed.") }
        return Answer(code: ending.code, text: String(decoding: ending.output, as: UTF8.self))
    }
}
