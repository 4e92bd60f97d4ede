import FileProvider
import FoundationEssentials
import Glibc
import LocalFolder
import Testing

extension LocalFolderFixture {
    enum Step {
        case staging
        case exchange
    }

    /// Leaves the folder and the log as a provider does that is killed during a save.
    func crash(after step: Step, _ item: FileProviderItem, to text: String, operation: String) throws {
        let name = try #require(LocalName(item.filename))
        let folder = try LocalDirectory(path: path)
        let staged = try LocalFileReplacement(of: name, in: folder, contents: contents(text), operation: operation)
        let identity = String(staged.facts.inode, radix: 36) + "." + String(staged.facts.birth, radix: 36)
        let key = "\(operation):\(("digest of " + text).replacing(" ", with: "%20"))"
        let lines = Array("begin\t\(key)\t\(identity)\t.\nbind\t\(item.identifier)\t\(identity)\t.\n".utf8)
        let log = open(storage + "/identities-v1", O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(log >= 0)
        let written = Glibc.write(log, lines, lines.count)
        close(log)
        try #require(written == lines.count)
        let stage = try #require(try names().first { $0.hasPrefix(".docent-stage-") })
        let saved = savedName(operation)
        try #require(link(path + "/" + stage, path + "/" + saved) == 0)
        // The staged file must exist up to this point.
        withExtendedLifetime(staged) {}
        guard step == .exchange else { return }
        try #require(rename(path + "/" + item.filename, path + "/aside") == 0)
        try #require(rename(path + "/" + saved, path + "/" + item.filename) == 0)
        try #require(rename(path + "/aside", path + "/" + saved) == 0)
    }

    /// FNV-1a of the operation, twice: the name that the next process looks for.
    private func savedName(_ operation: String) -> String {
        func hash(_ start: UInt64) -> String {
            let value = operation.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return ".docent-save-" + hash(0xcbf2_9ce4_8422_2325) + hash(1)
    }
}
