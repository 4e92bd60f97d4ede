import Documents
import ProcessLaunching

/// The merge tool that git's configuration names (`merge.tool`): one with a command of its own (`mergetool.NAME.cmd`),
/// or one that git knows.
struct MergeTool {
    /// Its name in git's configuration.
    let name: String
    /// What the shell runs; nil for a tool that git knows.
    let command: String?

    // Git's documented scriptlets. They also read the path of the tool, and whether its exit code counts.
    private static let known = """
        TOOL_MODE=merge
        . "$(git --exec-path)/git-mergetool--lib" || exit
        # Older releases of git do this when they run a tool.
        if type initialize_merge_tool >/dev/null 2>&1; then initialize_merge_tool "$1" || exit; fi
        run_merge_tool "$1" "$2"
        """

    /// Reads git's configuration, without that of any repository: a folder cannot choose what is run.
    ///
    /// - Throws: ``DocumentsError``: `notSupported` without a merge tool, `unavailable` without git.
    static func configured(in folder: MergeFolder) async throws -> MergeTool {
        guard let name = try await folder.setting("merge.tool"), !name.isEmpty else {
            throw DocumentsError(
                .notSupported, "No merge tool is chosen.",
                suggestion: "Choose one that is installed: git config --global merge.tool meld")
        }
        return MergeTool(name: name, command: try await folder.setting("mergetool.\(name).cmd"))
    }

    /// Runs the tool, with this process's terminal, until it ends.
    ///
    /// - Throws: ``DocumentsError`` `failed` if it does not end with 0, and what starting it throws.
    func run(in folder: MergeFolder) async throws {
        let launch = folder.launch(
            "/bin/sh",
            command.map { ["-c", $0, "docent"] } ?? ["-c", Self.known, "docent", name, String(folder.hasBase)],
            descriptors: [.own, .own, .own])
        let status = try await folder.end(of: launch)
        guard status == 0 else {
            throw DocumentsError(
                .failed, "The merge tool ended with \(status), so nothing was changed.",
                suggestion: "`git config merge.tool` names it.")
        }
    }
}
