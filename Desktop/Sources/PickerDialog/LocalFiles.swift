package import Documents
import Glibc
package import TerminalPicker
import UniformTypes

/// The files of this computer, as a file dialog shows them. Every call blocks.
package struct LocalFiles: Sendable {
    /// Stands for this computer in a location, where accounts have the identifier of a provider.
    package static let provider = "this-computer"

    private let home: String

    /// - Parameter home: the absolute path of the folder to begin in.
    package init(home: String) { self.home = home.hasPrefix("/") ? home : "/" }

    /// The row among the accounts.
    package static let account = PickerAccount(provider: provider, providerName: "This computer")

    /// The folder that the row leads to.
    package var start: DocumentLocation { Self.location(home) }

    package static func location(_ path: String) -> DocumentLocation {
        // Without a slash at the end, which would be another location of the same folder.
        let names = path.split(separator: "/").joined(separator: "/")
        return DocumentLocation(provider: provider, path: "/" + names)
    }

    package static func contains(_ location: DocumentLocation) -> Bool {
        location.provider == provider && location.domain.isEmpty
    }

    /// What is in a folder, folders first. Hidden files, and names that are not UTF-8, are left out.
    package func list(_ folder: DocumentLocation) throws(DocumentsError) -> [PickerEntry] {
        guard let directory = opendir(folder.path) else { throw Self.failure(folder.path, errno) }
        defer { closedir(directory) }
        var entries: [(key: String, entry: PickerEntry)] = []
        while let found = readdir(directory) {
            // A name of 255 bytes has its end in the array, too.
            let name = withUnsafeBytes(of: &found.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, !name.hasPrefix("."), let entry = entry(dirfd(directory), name, name) else { continue }
            entries.append((name.lowercased(), entry))
        }
        entries.sort { left, right in
            left.entry.isFolder == right.entry.isFolder ? left.key < right.key : left.entry.isFolder
        }
        return entries.map(\.entry)
    }

    /// What has this name; nil if nothing has.
    package func lookUp(_ location: DocumentLocation) throws(DocumentsError) -> PickerEntry? {
        if let entry = entry(AT_FDCWD, location.path, location.name) { return entry }
        guard errno == ENOENT || errno == ENOTDIR else { throw Self.failure(location.path, errno) }
        return nil
    }

    package func makeFolder(_ location: DocumentLocation) throws(DocumentsError) {
        guard mkdir(location.path, 0o777) == 0 else { throw Self.failure(location.path, errno) }
    }

    private func entry(_ directory: CInt, _ path: String, _ name: String) -> PickerEntry? {
        var status = stat()
        if fstatat(directory, path, &status, 0) != 0 {
            // A link that leads nowhere still has the name.
            guard fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let type = UniformTypeRegistry.system().type(fileName: name, isDirectory: isFolder).identifier
        return PickerEntry(
            name: name, contentType: isFolder ? "public.folder" : type, size: isFile ? Int(status.st_size) : nil,
            modificationDate: Double(status.st_mtim.tv_sec), isFolder: isFolder, isChoosable: isFolder || isFile)
    }

    private static func failure(_ path: String, _ code: CInt) -> DocumentsError {
        let kind: DocumentsError.Code =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM, EROFS: .notPermitted
            case EEXIST: .conflict
            default: .failed
            }
        return DocumentsError(kind, "\(path): \(String(cString: strerror(code))).")
    }
}
