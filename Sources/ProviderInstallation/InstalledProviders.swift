package import Documents
import FoundationEssentials
import Glibc

/// The providers that were installed with `docent provider install`, in the user's data directory.
///
/// Only one command at a time changes it. A change is written to disk before it begins. If it is interrupted, the next
/// command completes it, so that no provider stays half installed.
package final class InstalledProviders {
    /// The folder `docent` in the user's data directory.
    package let directory: String
    private let lock: CInt

    private var records: String { directory + "/installed" }

    /// Takes the lock without waiting, and completes an interrupted change.
    ///
    /// - Parameter dataHome: the user's data directory, `$XDG_DATA_HOME`.
    /// - Throws: ``DocumentsError`` `conflict` while another command holds the lock.
    package init(dataHome: String) throws {
        directory = dataHome + "/docent"
        try FileWork.makeDirectories(dataHome, mode: 0o755)
        try FileWork.makeDirectories(directory, mode: 0o700)
        try FileWork.makeDirectories(directory + "/installed", mode: 0o700)
        lock = open(directory + "/installed/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw FileWork.failure("\(directory)/installed/lock cannot be opened", errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw DocumentsError(
                .conflict, "Another `docent provider install` or `uninstall` is running.",
                suggestion: "Wait until it has finished, and try again.")
        }
        try finishWhatWasCutShort()
    }

    deinit {
        // Closing alone is not enough: a process that is being started may have a copy of the descriptor until it
        // executes another program.
        _ = flock(lock, LOCK_UN)
        close(lock)
    }

    /// The record of a provider, named by its identifier or, if unambiguous, by the last component; nil if there is
    /// none.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if the short name is ambiguous.
    package func record(named name: String) throws(DocumentsError) -> InstallationRecord? {
        let all = allRecords()
        if let exact = all.first(where: { $0.provider == name }) { return exact }
        let short = all.filter { $0.provider.split(separator: ".").last?.lowercased() == name.lowercased() }
        guard short.count <= 1 else {
            throw DocumentsError(
                .invalidArgument, "\"\(name)\" is ambiguous.",
                suggestion: "Write one of " + short.map(\.provider).joined(separator: ", ") + ".")
        }
        return short.first
    }

    /// All records, ordered by provider.
    func allRecords() -> [InstallationRecord] {
        names(ending: ".json").filter { !$0.hasSuffix(".pending.json") }.compactMap { name in
            read(InstallationRecord.self, name).flatMap { $0.isPlausible ? $0 : nil }
        }
    }

    /// Creates a staging directory with the layout of a user's data directory.
    func makeStaging() throws(DocumentsError) -> String {
        var template = Array("\(records)/staging-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FileWork.failure("\(records) cannot be written to", errno) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["manifests", "providers"] { try FileWork.makeDirectories("\(path)/docent/\(name)", mode: 0o700) }
        return path
    }

    /// Carries out a change as a whole.
    package func perform(_ change: InstallationChange) throws {
        for place in Set(["manifests", "providers"] + change.moves.map(Self.parent)).sorted() {
            try FileWork.makeDirectories(directory + "/" + place, mode: 0o755)
            try requireRenaming(to: directory + "/" + place)
        }
        let pending = "\(records)/\(change.provider).pending.json"
        try FileWork.replace(pending, with: Array(JSONEncoder().encode(change)))
        try carryOut(change)
    }

    // Each step can be repeated, because it may have been done before.
    private func carryOut(_ change: InstallationChange) throws {
        if let staging = change.staging {
            for path in change.moves where FileWork.isFile("\(records)/\(staging)/docent/\(path)") {
                try FileWork.makeDirectories(directory + "/" + Self.parent(path), mode: 0o755)
                try FileWork.move("\(records)/\(staging)/docent/\(path)", to: directory + "/" + path)
            }
        }
        for path in change.removals { try FileWork.remove(directory + "/" + path) }
        // The provider's own directory is removed if it is empty. The user may have put other files there.
        for place in Set(change.removals.map(Self.parent)) where place.contains("/") { rmdir(directory + "/" + place) }
        let place = "\(records)/\(change.provider).json"
        if let record = change.record {
            try FileWork.replace(place, with: Array(JSONEncoder().encode(record)))
        } else {
            try FileWork.remove(place)
        }
        try FileWork.remove("\(records)/\(change.provider).pending.json")
        if let staging = change.staging { FileWork.removeTree("\(records)/\(staging)") }
    }

    private func finishWhatWasCutShort() throws {
        for name in names(ending: ".pending.json") {
            guard let change = read(InstallationChange.self, name), Self.isPlausible(change) else {
                // A pending change is written as a whole or not at all, so this file is not ours.
                throw DocumentsError(
                    .failed, "\(records)/\(name) cannot be read.", suggestion: "Move it away, and install again.")
            }
            try carryOut(change)
        }
        for name in names(ending: "") where name.hasPrefix("staging-") { FileWork.removeTree("\(records)/\(name)") }
    }

    private static func isPlausible(_ change: InstallationChange) -> Bool {
        (change.moves + change.removals).allSatisfy(InstallationRecord.isPlausible)
            && !change.provider.contains("/") && change.staging?.contains("/") != true
            && change.record?.isPlausible != false
    }

    // A link of the user's may lead to another file system, and a file cannot be renamed into that.
    private func requireRenaming(to place: String) throws(DocumentsError) {
        var (there, here) = (stat(), stat())
        guard stat(place, &there) == 0, stat(records, &here) == 0, access(place, W_OK | X_OK) == 0 else {
            throw FileWork.failure("\(place) cannot be written to", errno)
        }
        guard there.st_dev == here.st_dev else {
            throw DocumentsError(
                .notSupported, "\(place) is not on the same file system as \(records).",
                suggestion: "Put both on one file system.")
        }
    }

    private static func parent(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func names(ending: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: records)) ?? []).filter { $0.hasSuffix(ending) }.sorted()
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
        guard let content = try? FileWork.read("\(records)/\(name)") else { return nil }
        return try? JSONDecoder().decode(type, from: Data(content))
    }
}
