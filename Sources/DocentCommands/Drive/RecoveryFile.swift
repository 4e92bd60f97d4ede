import CommandConsole
import Documents
import FoundationEssentials
import Glibc

/// The private file that receives a recovery phrase. It is made before anything else, so that a drive is never created
/// whose phrase could not be kept.
struct RecoveryFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private var isWritten = false

    /// Makes the file, for this user only.
    ///
    /// - Throws: ``DocumentsError`` `conflict` if anything has that name, also a symbolic link.
    init(_ path: String) throws(DocumentsError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let code = errno
        guard descriptor >= 0 else {
            throw DocumentsError(
                code == EEXIST ? .conflict : code == ENOENT || code == ENOTDIR ? .notFound : .notPermitted,
                "The recovery phrase cannot be put into \(path): \(String(cString: strerror(code))).",
                suggestion: code == EEXIST ? "Choose a name that nothing has yet." : nil)
        }
        self.path = path
        fchmod(descriptor, 0o600)
    }

    deinit {
        close(descriptor)
        // Nothing to keep: the name is free for another try.
        if !isWritten { unlink(path) }
    }

    /// Puts the phrase into the file, and waits until the disk has it.
    ///
    /// - Throws: ``DocumentsError``; the file is gone then.
    mutating func write(_ phrase: String, of place: String) throws {
        let day = String((Timestamp.text(Date().timeIntervalSince1970) ?? "").prefix(10))
        let text = "The recovery phrase of the drive in \(place), of \(day):\n\n\(phrase)\n"
        do {
            try ContentPump.write(Array(text.utf8), to: descriptor)
            guard fsync(descriptor) == 0 else {
                throw DocumentsError(.failed, "\(path) cannot be written: \(String(cString: strerror(errno))).")
            }
        }
        isWritten = true
    }
}

/// A recovery phrase in a text: eight groups of five characters.
enum RecoveryPhraseText {
    /// The only phrase in the text; nil if there is none, or if there are several. Pure.
    static func find(in text: String) -> String? {
        let found = text.split(whereSeparator: { $0.isWhitespace || ".,;:\"'()".contains($0) }).filter { word in
            let groups = word.split(separator: "-", omittingEmptySubsequences: false)
            return groups.count == 8
                && groups.allSatisfy { $0.count == 5 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        }
        return found.count == 1 ? String(found[0]) : nil
    }

    /// The phrase in a file that only its owner may read.
    ///
    /// - Throws: ``DocumentsError``, without the content.
    static func read(_ path: String) throws -> String {
        let file = try LocalFile(reading: SecretFile.check(path))
        var bytes = [UInt8](repeating: 0, count: 4096)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file.descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if part < 0 && errno == EINTR { continue }
            guard part > 0 else { break }
            count += part
        }
        guard let phrase = find(in: String(decoding: bytes.prefix(count), as: UTF8.self)) else {
            throw DocumentsError(
                .invalidArgument, "\(path) contains no recovery phrase, or more than one.",
                suggestion: "It is written as eight groups of five characters with hyphens between them.")
        }
        return phrase
    }
}
