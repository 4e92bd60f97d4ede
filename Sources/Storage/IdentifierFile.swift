import CLinux
import Glibc

/// Stores the text of a folder's name when the name is only a digest.
enum IdentifierFile {
    static func write(_ text: String, named name: FileName, in folder: Directory) throws {
        guard try folder.status(of: name) == nil else { return }
        let temporary = FileName(
            unchecked: Array("\(NameEscaping.reservedPrefix)\(UInt64.random(in: 0 ... .max))".utf8))
        let file = try folder.create(temporary)
        defer { try? folder.remove(temporary) }
        let bytes = Array(text.utf8)
        var written = 0
        try bytes.withUnsafeBytes { buffer in
            while written < buffer.count, let start = buffer.baseAddress {
                written += try checked(
                    clinux_pwrite(file.number, start + written, buffer.count - written, Int64(written)),
                    "write the identifier")
            }
        }
        try checked(clinux_fsync(file.number), "sync the identifier")
        let outcome = folder.rename(temporary, to: folder, as: name, flags: CLINUX_RENAME_NOREPLACE)
        if outcome != -EEXIST { try checked(outcome, "name the identifier") }
    }

    /// Nil when there is no file or no valid one: a provider may plant any file.
    static func read(named name: FileName, in folder: Directory) throws -> String? {
        guard try folder.status(of: name)?.kind == .regular else { return nil }
        let file = try folder.open(name)
        let limit = 1 << 20
        guard try ForeignDescriptor.check(file.number, access: .readOnly).size <= UInt64(limit) else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit)
        let got = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { clinux_pread(file.number, $0, buffer.count, 0) } ?? 0
        }
        try checked(got, "read the identifier")
        return String(validating: bytes.prefix(got), as: UTF8.self)
    }
}
