import CLibSecret
import Glibc

/// The program `docent-keyring-file`: it passes one request from the daemon, on its standard input, to libsecret's
/// encrypted file, and writes the answer to its standard output.
///
/// It is a separate process for two reasons. libsecret takes the file's path and password from the environment, which
/// child processes and other threads could read. And libsecret ends its process when the file is damaged. Here the only
/// thread changes the environment after the start, so that /proc does not show the password.
package enum EncryptedFileProgram {
    /// Answers one request and exits.
    package static func main() -> Never {
        var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &nothing)
        docent_hide_process()
        mlockall(MCL_CURRENT)
        umask(0o077)
        let input = WipingBuffer(capacity: 256 << 10)
        guard readAll(into: input), let request = EncryptedFileRequest(input.bytes) else { exit(64) }
        // If the caller was killed, no one would end this process.
        alarm(request.seconds)
        let output = WipingBuffer()
        do throws(EncryptedFileFault) {
            try answer(request, output)
        } catch {
            respond(.failure(error), output)
        }
        exit(writeAll(output.bytes) ? 0 : 74)
    }

    private static func answer(_ request: EncryptedFileRequest, _ output: WipingBuffer) throws(EncryptedFileFault) {
        let lock: FileLock
        do throws(KeyringError) {
            lock = try FileLock(request.path + ".lock", until: .now + .seconds(Int(request.seconds)))
        } catch {
            throw .failed("\(request.path).lock is held by another program, or cannot be created")
        }
        defer { withExtendedLifetime(lock) {} }
        let collection = try EncryptedCollection(path: request.path, password: request.password)
        switch request.verb {
        case .check:
            respond(.success(()), output)
        case .store:
            try collection.store(request.secret, for: CredentialQuery(request.key), label: request.label)
            respond(.success(()), output)
        case .lookUp:
            let secret = try collection.lookUp(CredentialQuery(request.key))
            respond(.success(()), output)
            if let secret { output.appendField(secret) }
        case .delete:
            let keys = try collection.list(request.query)
            for key in keys { try collection.delete(CredentialQuery(key)) }
            respond(.success(()), output)
            output.appendField(keys.isEmpty ? "" : "deleted")
        case .list:
            let keys = try collection.list(request.query)
            respond(.success(()), output)
            for key in keys { output.appendFields(key) }
        }
    }

    private static func respond(_ result: Result<Void, EncryptedFileFault>, _ output: WipingBuffer) {
        switch result {
        case .success:
            output.appendField("done")
        case .failure(let fault):
            output.appendField(fault.name)
            output.appendField(fault.message)
        }
    }

    private static func readAll(into buffer: WipingBuffer) -> Bool {
        while true {
            var (count, code) = (0, Int32(0))
            buffer.append(atMost: 65_536) { room in
                count = read(STDIN_FILENO, room.baseAddress, room.count)
                code = errno
                return count
            }
            if count == 0 { return true }
            if count < 0, code != EINTR { return false }
        }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = write(STDOUT_FILENO, bytes.baseAddress?.advanced(by: position), bytes.count - position)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }
}
