import FileProviderValidation
import Foundation
import Glibc

/// The files below a directory at one moment: names, kinds, sizes and modification times.
struct FileSurvey: Sendable {
    private struct Facts: Sendable, Equatable {
        var kind: mode_t
        var size: off_t
        var seconds: Int
        var nanoseconds: Int
    }

    private let files: [String: Facts]

    /// Scans everything except some directories.
    init(_ top: String, except: [String]) {
        var files: [String: Facts] = [:]
        guard let walk = FileManager.default.enumerator(atPath: top) else {
            self.files = [:]
            return
        }
        while let name = walk.nextObject() as? String {
            let path = top + "/" + name
            if except.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) {
                walk.skipDescendants()
                continue
            }
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            // A directory's time changes with its contents, which are reported themselves.
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            files[path] = Facts(
                kind: status.st_mode & S_IFMT, size: isFolder ? 0 : status.st_size,
                seconds: isFolder ? 0 : status.st_mtim.tv_sec, nanoseconds: isFolder ? 0 : status.st_mtim.tv_nsec)
        }
        self.files = files
    }

    /// The differences from an earlier survey, in words.
    func changes(since earlier: FileSurvey) -> [String] {
        var result: [String] = []
        for (path, facts) in files where earlier.files[path] != facts {
            result.append((earlier.files[path] == nil ? "a new " : "a changed ") + PlainText.quoted(path, limit: 400))
        }
        for path in earlier.files.keys where files[path] == nil {
            result.append("no " + PlainText.quoted(path, limit: 400) + " any more")
        }
        return result.sorted()
    }
}

/// Files that a provider must not touch.
enum Canary {
    /// Creates them in a home below a directory.
    ///
    /// - Parameter except: where the provider may write: nothing is created there, since it may have put links there.
    static func plant(in directory: String, except: [String]) throws {
        let home = directory + "/home"
        for (name, content) in [
            (".ssh/id_canary", "This is not a key.\n"), ("canary.txt", "Nobody reads this.\n"),
            (".config/canary.conf", "[canary]\n"),
        ] {
            let path = home + "/" + name
            guard !except.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else { continue }
            try FileManager.default.createDirectory(
                atPath: path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 },
                withIntermediateDirectories: true)
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}
