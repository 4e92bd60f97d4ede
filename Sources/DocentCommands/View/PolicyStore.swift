import Documents
import Glibc
import ProviderInstallation
import ViewPolicies

/// The user's own rules, in their file.
struct PolicyStore {
    /// The path of the file.
    let path: String

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    init(_ environment: [String: String]) throws(DocumentsError) {
        guard let path = DownloadPolicyFile.path(environment) else {
            throw DocumentsError(
                .invalidArgument, "HOME is not set.",
                suggestion: "Set HOME or XDG_CONFIG_HOME to the absolute path of a folder.")
        }
        self.path = path
    }

    /// The rules in effect.
    ///
    /// - Throws: ``DocumentsError``, also if the file is not valid.
    func policy() throws(DocumentsError) -> DownloadPolicy { try DownloadPolicyFile.read(path) ?? DownloadPolicy() }

    /// Changes the rules. The file is replaced as a whole; one that is not valid stays as it is.
    func change(_ body: (inout DownloadPolicy) throws -> Void) throws {
        var changed = try policy()
        try body(&changed)
        let content = try changed.json()
        guard changed.own.count <= DownloadPolicy.mostRules, content.count <= DownloadPolicyFile.most else {
            throw DocumentsError(
                .invalidArgument, "\(path) would have too many rules.",
                suggestion: "Take some back with `docent policy reset PROGRAM`, or write one with a `*`.")
        }
        try FileWork.makeDirectories(FileWork.parent(path), mode: 0o700)
        // Some people keep the file elsewhere, and have a link to it here.
        let target = FileWork.canonical(path) ?? path
        let temporary = "\(target).\(getpid()).new"
        try FileWork.remove(temporary)
        try FileWork.create(temporary, content)
        do {
            try FileWork.move(temporary, to: target)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes all rules of the user.
    func reset() throws(DocumentsError) { try FileWork.remove(path) }
}
