import FileProvider
import Glibc

/// Private folders of the provider in the domain's storage, which no other user can read.
enum PrivateFolder {
    /// Makes the folder and its parents.
    static func make(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EACCES, errno != EROFS { throw failure() }
        }
        guard access(path, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// Writes a small file atomically and durably.
    static func write(_ bytes: [UInt8], to name: String, in folder: String) throws {
        let temporary = folder + "/.new." + name
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure() }
        let isWhole = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWhole, rename(temporary, folder + "/" + name) == 0 else {
            let error = failure()
            unlink(temporary)
            throw error
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            fsync(directory)
            close(directory)
        }
    }

    /// The names in a folder; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The seconds since a file was changed; 0 if there is none.
    static func age(of path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? max(0, time(nil) - facts.st_mtim.tv_sec) : 0
    }

    /// The last error of the C library.
    static func failure() -> FileProviderError {
        let number = errno
        let text = String(cString: strerror(number))
        return FileProviderError(
            number == ENOSPC || number == EDQUOT ? .insufficientQuota : .failed,
            "The domain's own folder cannot be written: \(text).",
            underlying: [ErrorDetail(domain: "NSPOSIXErrorDomain", code: Int(number), text: text)])
    }
}
