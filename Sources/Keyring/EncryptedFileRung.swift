import Dispatch
import Glibc

/// The second rung: libsecret's own encrypted file, for machines without a desktop. Its master password comes from
/// systemd or a file. `docent-keyring-file` does the work (see ``EncryptedFileProgram``).
struct EncryptedFileRung: CredentialStore {
    /// The path of the file.
    let path: String
    let password: MasterPassword
    private let program: String
    private let deadline: Duration
    private let queue = DispatchQueue(label: "org.docent.keyring.encrypted-file")

    /// Creates the rung.
    ///
    /// - Parameter environment: the daemon's environment. `DOCENT_KEYRING_FILE_PROGRAM` names the program; by default
    ///   it is beside the daemon.
    init(environment: [String: String], directory: String, deadline: Duration) {
        path = directory + "/credentials.keyring"
        password = MasterPassword(environment: environment)
        program = environment["DOCENT_KEYRING_FILE_PROGRAM"] ?? Self.besideUs("docent-keyring-file")
        self.deadline = deadline
    }

    func state() async -> RungState {
        guard password.isGiven else { return .absent("it has no master password") }
        do throws(KeyringError) {
            _ = try await ask(.check) { _ in }
            return .usable
        } catch {
            return .absent(error.description)
        }
    }

    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        for part in [key.accessGroup, key.provider, key.domain, key.account] where part.utf8.contains(0) {
            throw .invalidKey(part)
        }
        _ = try await ask(.store) { request in
            request.query = CredentialQuery(key)
            request.label = label
            request.secret = secret
        }
    }

    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret? {
        let answer = try await ask(.lookUp) { $0.query = CredentialQuery(key) }
        return answer.withBytes { bytes in
            var reader = FieldReader(bytes)
            return try? reader.secret()
        }
    }

    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool {
        let answer = try await ask(.delete) { $0.query = query }
        return answer.withBytes { bytes in
            var reader = FieldReader(bytes)
            return (try? reader.text()) == "deleted"
        }
    }

    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey] {
        let answer = try await ask(.list) { $0.query = query }
        let keys: [CredentialKey]? = answer.withBytes { bytes in
            var reader = FieldReader(bytes)
            var keys: [CredentialKey] = []
            while !reader.isAtEnd {
                guard let key = try? reader.key() else { return nil }
                keys.append(key)
            }
            return keys
        }
        guard let keys else { throw .failed("docent-keyring-file returned an invalid answer") }
        return keys
    }

    /// Checks the state: there is no one to ask for the password.
    func unlock() async throws(KeyringError) {
        if case .absent(let why) = await state() { throw .unavailable(why) }
    }

    // MARK: The program

    /// Sends a request. Returns what follows `done` in the program's answer.
    private func ask(
        _ verb: EncryptedFileRequest.Verb, _ fill: (inout EncryptedFileRequest) -> Void
    ) async throws(KeyringError) -> Secret {
        var request = EncryptedFileRequest(
            verb, path: path, password: Secret(""), seconds: UInt32(clamping: deadline.components.seconds + 1))
        fill(&request)
        let (start, end) = (request, ContinuousClock.now + deadline)
        let (program, password, path) = (program, password, path)
        return try await BoundedCall.run(on: queue, deadline: deadline + .seconds(1)) { _ in
            do throws(KeyringError) {
                return .success(try Self.run(program, start, password: password, path: path, until: end))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func run(
        _ program: String, _ request: EncryptedFileRequest, password: MasterPassword, path: String,
        until end: ContinuousClock.Instant
    ) throws(KeyringError) -> Secret {
        var request = request
        do throws(PrivateFile.Problem) {
            request.password = try password.read()
        } catch {
            throw .unavailable("The encrypted file cannot be used: \(error.why).")
        }
        let input = WipingBuffer()
        request.write(to: input)
        let output = WipingBuffer()
        switch HelperProcess.run(program, input: input.bytes, output: output, until: end) {
        case .notStarted(let why):
            throw .unavailable("\(program) cannot be started: \(why).")
        case .timedOut:
            throw .timedOut
        case .signalled(SIGABRT), .signalled(SIGSEGV), .signalled(SIGTRAP):
            throw .damaged(
                "\(path) is damaged: libsecret cannot read it. Restore a copy; without one, move the file away and sign in again."
            )
        case .signalled(let number):
            throw .failed("docent-keyring-file was killed by signal \(number)")
        case .exited(0):
            break
        case .exited(let code):
            throw .failed("docent-keyring-file exited with code \(code)")
        }
        var reader = FieldReader(output.bytes)
        guard let name = try? reader.text() else { throw .failed("docent-keyring-file returned an invalid answer") }
        if name == "done" { return Secret(copying: reader.rest) }
        switch EncryptedFileFault(name: name, message: (try? reader.text()) ?? "") {
        case .wrongPassword:
            throw .unavailable("The master password does not open \(path). Use the one it was created with.")
        case .damaged(let message):
            throw .damaged(
                "\(path) is damaged (\(message)). Restore a copy; without one, move the file away and sign in again.")
        case .failed(let message):
            throw .failed(message)
        }
    }

    private static func besideUs(_ name: String) -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &path, Int(PATH_MAX))
        let own = String(decoding: path.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder + "/" + name
    }
}
