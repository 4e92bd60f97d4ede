import DocentInterfaces
import Storage

/// The programs of `org.docent.spawn` that a sandbox may show.
///
/// bubblewrap looks their paths up once more. So none may be in a place that a provider can write: at the next start a
/// link there could show any file of the user's as a program.
enum SandboxPrograms {
    /// The programs that exist. Blocks as long as the file system does.
    ///
    /// - Throws: ``Failure`` `Unavailable` for one that a provider could replace, and for what is no program.
    static func existing(_ profile: SandboxProfile) throws(Failure) -> [String] {
        guard !profile.spawn.isEmpty else { return [] }
        // Those of all providers.
        let containers = profile.container.lastIndex(of: "/").map { String(profile.container[..<$0]) } ?? ""
        let writable = SharedFolder.identities(
            profile.readWrite + profile.writableByOthers + [profile.container, containers])
        var result: [String] = []
        for path in profile.spawn where try isUsable(path, writable: writable) { result.append(path) }
        return result
    }

    private static func isUsable(_ path: String, writable: Set<FileIdentity>) throws(Failure) -> Bool {
        let program: SharedFolder
        let status: FileStatus
        do {
            guard let found = try SharedFolder.open(path, writable: writable) else { return false }
            program = found
            status = try FileStatus(of: found.descriptor.number)
        } catch let error as FileSystemError where error.code == .unacceptable {
            throw replaceable(path)
        } catch {
            throw Failure.from(error)
        }
        guard !program.isReplaceable else { throw replaceable(path) }
        guard status.kind == .regular, status.mode & 0o111 != 0 else {
            throw Failure(
                .unavailable, "\(path), which the provider wants to start, is not a program.",
                suggestion: "Report this to the authors of the provider.")
        }
        return true
    }

    private static func replaceable(_ path: String) -> Failure {
        Failure(
            .unavailable, "The program \(path) is in a place that a provider can write to, and is not started.",
            suggestion: "Install it elsewhere, for example in /usr/local/bin.")
    }
}
