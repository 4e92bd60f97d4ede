import CLibSecret
import Glibc

/// libsecret's encrypted file, opened. Only for a dedicated process, because it changes the environment.
///
/// For a wrong password libsecret reports a file without matching items. An item that is always in the file therefore
/// shows whether the password is correct; a file that the password does not open is never written.
struct EncryptedCollection {
    private static let witness = CredentialQuery(
        accessGroup: "org.docent.docentd", provider: "org.docent.docentd", domain: "", account: "the password fits")
    private static let header = Array("GnomeKeyring\n\r\0\n".utf8)

    private let path: String

    /// Opens the file, if it exists.
    ///
    /// - Throws: ``EncryptedFileFault/wrongPassword`` or ``EncryptedFileFault/damaged(_:)`` for an existing file.
    init(path: String, password: Secret) throws(EncryptedFileFault) {
        self.path = path
        for name in ["SNAP_NAME", "SNAP"] { unsetenv(name) }
        setenv("SECRET_BACKEND", "file", 1)
        setenv("SECRET_FILE_TEST_PATH", path, 1)
        password.withBytes { bytes in
            var copy = ContiguousArray(bytes)
            copy.append(0)
            copy.withUnsafeMutableBytes { text in
                _ = text.withMemoryRebound(to: CChar.self) { characters in
                    characters.baseAddress.map { setenv("SECRET_FILE_TEST_PASSWORD", $0, 1) }
                }
                if let start = text.baseAddress { explicit_bzero(start, text.count) }
            }
        }
        // A backup would keep deleted secrets.
        unlink(path + "~")
        let content: Secret?
        do throws(PrivateFile.Problem) {
            content = try PrivateFile.read(path, limit: 256 << 20, isOwn: true)
        } catch {
            throw .failed(error.why)
        }
        guard let content else { return }
        // libsecret ends the process for some files that are shorter than its header.
        let isOurs = content.withBytes { $0.count >= 64 && $0.prefix(Self.header.count).elementsEqual(Self.header) }
        guard isOurs else { throw .damaged("it is not a keyring file") }
        guard try lookUp(Self.witness) != nil else { throw .wrongPassword }
    }

    func store(_ secret: Secret, for query: CredentialQuery, label: String) throws(EncryptedFileFault) {
        if !PrivateFile.exists(path) { try put(Secret("1"), for: Self.witness, label: "Docent") }
        try put(secret, for: query, label: label)
    }

    func lookUp(_ query: CredentialQuery) throws(EncryptedFileFault) -> Secret? {
        try with(query) { attributes, error in
            guard
                let value = secret_password_lookupv_binary_sync(docent_credential_schema(), attributes, nil, &error)
            else { return nil }
            defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
            return Secret(secretValue: value)
        }
    }

    func list(_ query: CredentialQuery) throws(EncryptedFileFault) -> [CredentialKey] {
        try with(query) { attributes, error in
            let items = secret_password_searchv_sync(
                docent_credential_schema(), attributes, SECRET_SEARCH_ALL, nil, &error)
            defer { g_list_free_full(items, docent_object_unref) }
            var keys: [CredentialKey] = []
            var node = items
            while let current = node {
                node = current.pointee.next
                guard let found = secret_retrievable_get_attributes(docent_list_retrievable(current)) else { continue }
                defer { g_hash_table_unref(found) }
                if let key = CredentialKey(found), !Self.witness.means(key) { keys.append(key) }
            }
            return keys
        }
    }

    func delete(_ query: CredentialQuery) throws(EncryptedFileFault) {
        try with(query) { attributes, error in
            _ = secret_password_clearv_sync(docent_credential_schema(), attributes, nil, &error)
        }
        try synchronize()
    }

    private func put(_ secret: Secret, for query: CredentialQuery, label: String) throws(EncryptedFileFault) {
        let value = secret.withBytes { docent_secret_value($0.baseAddress, $0.count) }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        try with(query) { attributes, error in
            _ = secret_password_storev_binary_sync(
                docent_credential_schema(), attributes, nil, label, value, nil, &error)
        }
        try synchronize()
    }

    // libsecret renames a new file over the old one, but does not sync it to the disk.
    private func synchronize() throws(EncryptedFileFault) {
        unlink(path + "~")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .failed("\(path) cannot be written to the disk") }
        do throws(PrivateFile.Problem) {
            try PrivateFile.synchronizeFolder(of: path)
        } catch {
            throw .failed(error.why)
        }
    }

    private func with<Value>(
        _ query: CredentialQuery, _ body: (OpaquePointer, inout UnsafeMutablePointer<GError>?) -> Value
    ) throws(EncryptedFileFault) -> Value {
        guard let table = docent_attributes_new() else { throw .failed("out of memory") }
        defer { g_hash_table_unref(table) }
        for (name, value) in query.attributes { docent_attributes_set(table, name, value) }
        var error: UnsafeMutablePointer<GError>?
        let value = body(table, &error)
        guard let error else { return value }
        defer { g_error_free(error) }
        let message = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
        if error.pointee.domain == docent_secret_error() { throw .damaged(message) }
        throw .failed(message)
    }
}
