import CLibSecret

/// A call of libsecret on a thread that may block.
struct SecretServiceCall {
    private let service: UnsafeMutablePointer<SecretService>
    private let cancellable: UnsafeMutablePointer<GCancellable>?

    /// Connects and does some work. If the connection turns out to be dead, retries once with a new one. No two calls
    /// may run at the same time.
    static func run<Value>(
        cancellable: UnsafeMutablePointer<GCancellable>?, _ work: (SecretServiceCall) throws(KeyringError) -> Value
    ) -> Result<Value, KeyringError> {
        // GLib defers work to its main loop, which does not run here; without this, dead connections would stay in use.
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        defer {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        for isLastTry in [false, true] {
            defer {
                // libsecret keeps one connection per process, which a restarted service does not recognise.
                secret_service_disconnect()
                while g_main_context_iteration(context, 0) != 0 {}
            }
            do throws(KeyringError) {
                let call = try SecretServiceCall(cancellable: cancellable)
                defer { docent_object_unref(call.service) }
                return .success(try work(call))
            } catch {
                switch error {
                case .failed, .noService, .noCollection:
                    if isLastTry || g_cancellable_is_cancelled(cancellable) != 0 { return .failure(error) }
                case .locked, .timedOut, .cancelled, .invalidKey, .unavailable, .readOnly, .damaged:
                    return .failure(error)
                }
            }
        }
        return .failure(.cancelled)
    }

    private init(cancellable: UnsafeMutablePointer<GCancellable>?) throws(KeyringError) {
        var error: UnsafeMutablePointer<GError>?
        guard let bus = docent_session_bus(cancellable, &error) else {
            throw Self.take(error, orElse: .noService("no session bus"), isConnecting: true)
        }
        docent_object_unref(bus)
        guard let service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, cancellable, &error) else {
            throw Self.take(error, orElse: .noService("no Secret Service"), isConnecting: true)
        }
        self.service = service
        self.cancellable = cancellable
    }

    func store(_ secret: Secret, attributes: [(name: String, value: String)], label: String) throws(KeyringError) {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        try requireUnlocked()
        var error: UnsafeMutablePointer<GError>?
        let items = secret_service_search_sync(
            service, docent_credential_schema(), table, SECRET_SEARCH_NONE, cancellable, &error)
        defer { g_list_free_full(items, docent_object_unref) }
        if let error { throw Self.take(error, orElse: .failed("it did not search")) }
        let old = items.flatMap { docent_list_item($0) }
        // KeePassXC asks its user before a program replaces an entry that was not shared with it.
        if let old, secret_item_get_locked(old) != 0 { throw .locked }
        let stored = secret.withBytes { bytes in
            if let old {
                return docent_item_replace(old, bytes.baseAddress, bytes.count, label, cancellable, &error)
            }
            return docent_secret_store(service, table, label, bytes.baseAddress, bytes.count, cancellable, &error)
        }
        if stored == 0 { throw Self.take(error, orElse: .failed("it did not store the secret")) }
    }

    func lookUp(attributes: [(name: String, value: String)]) throws(KeyringError) -> Secret? {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        // libsecret's lookup functions would ask the user for a password.
        let items = secret_service_search_sync(
            service, docent_credential_schema(), table, SECRET_SEARCH_LOAD_SECRETS, cancellable, &error)
        defer { g_list_free_full(items, docent_object_unref) }
        if let error { throw Self.take(error, orElse: .failed("it did not search")) }
        guard let items else {
            // A locked keyring may hide its entries.
            try requireUnlocked()
            return nil
        }
        let item = docent_list_item(items)
        guard secret_item_get_locked(item) == 0 else { throw .locked }
        guard let value = secret_item_get_secret(item) else { throw .failed("it returned no secret") }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        return Secret(secretValue: value)
    }

    func delete(attributes: [(name: String, value: String)]) throws(KeyringError) -> Bool {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        let deleted = secret_service_clear_sync(service, docent_credential_schema(), table, cancellable, &error)
        if let error { throw Self.take(error, orElse: .failed("it did not delete the secret")) }
        // It deletes only unlocked items; locked ones must not be reported as deleted.
        let left = secret_service_search_sync(
            service, docent_credential_schema(), table, SECRET_SEARCH_NONE, cancellable, &error)
        defer { g_list_free_full(left, docent_object_unref) }
        if let error { throw Self.take(error, orElse: .failed("it did not search")) }
        if left != nil { throw .locked }
        if deleted == 0 { try requireUnlocked() }
        return deleted != 0
    }

    func list(attributes: [(name: String, value: String)]) throws(KeyringError) -> [CredentialKey] {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        let items = secret_service_search_sync(
            service, docent_credential_schema(), table, SECRET_SEARCH_ALL, cancellable, &error)
        defer { g_list_free_full(items, docent_object_unref) }
        if let error { throw Self.take(error, orElse: .failed("it did not search")) }
        var keys: [CredentialKey] = []
        var node = items
        while let current = node {
            node = current.pointee.next
            guard let found = secret_item_get_attributes(docent_list_item(current)) else { continue }
            defer { g_hash_table_unref(found) }
            if let key = CredentialKey(found) { keys.append(key) }
        }
        return keys
    }

    func probe() throws(KeyringError) -> KeyringStatus {
        let collection = try defaultCollection()
        defer { docent_object_unref(collection) }
        return secret_collection_get_locked(collection) != 0 ? .locked : .available
    }

    /// The name of the service and its default collection, for people.
    func identify() throws(KeyringError) -> KeyringIdentity {
        let collection = try defaultCollection()
        defer { docent_object_unref(collection) }
        let label = secret_collection_get_label(collection)
        defer { g_free(label) }
        return KeyringIdentity(
            status: secret_collection_get_locked(collection) != 0 ? .locked : .available,
            process: docent_service_process(service, cancellable), collection: label.map { String(cString: $0) } ?? "")
    }

    private func requireUnlocked() throws(KeyringError) {
        if try probe() == .locked { throw .locked }
    }

    private func defaultCollection() throws(KeyringError) -> UnsafeMutablePointer<SecretCollection> {
        var error: UnsafeMutablePointer<GError>?
        guard let collection = docent_default_collection(service, cancellable, &error) else {
            throw Self.take(error, orElse: .noCollection("there is no default collection"))
        }
        return collection
    }

    /// Unlocks the default collection on a separate connection, in parallel with other calls.
    static func unlock(cancellable: UnsafeMutablePointer<GCancellable>?) -> Result<Void, KeyringError> {
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        defer {
            while g_main_context_iteration(context, 0) != 0 {}
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        guard let bus = docent_private_bus(cancellable) else { return .failure(.noService("no session bus")) }
        defer { docent_end_watch(bus) }
        var error: UnsafeMutablePointer<GError>?
        guard docent_unlock(bus, context, cancellable, &error) != 0 else {
            // Either the prompt could not be shown, or the user closed it.
            return .failure(take(error, orElse: .locked))
        }
        return .success(())
    }

    private static func table(
        _ attributes: [(name: String, value: String)]
    ) throws(KeyringError) -> OpaquePointer {
        for (_, value) in attributes where value.utf8.contains(0) { throw .invalidKey(value) }
        guard let table = docent_attributes_new() else { throw .failed("out of memory") }
        for (name, value) in attributes { docent_attributes_set(table, name, value) }
        return table
    }

    /// Converts an error of GLib and frees it.
    private static func take(
        _ error: UnsafeMutablePointer<GError>?, orElse fallback: KeyringError, isConnecting: Bool = false
    ) -> KeyringError {
        guard let error else { return fallback }
        defer { g_error_free(error) }
        let message = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
        let domain = error.pointee.domain
        let code = UInt32(bitPattern: error.pointee.code)
        if domain == docent_g_io_error() && code == G_IO_ERROR_CANCELLED.rawValue { return .cancelled }
        if domain == docent_secret_error() {
            if code == SECRET_ERROR_IS_LOCKED.rawValue { return .locked }
            if code == SECRET_ERROR_NO_SUCH_OBJECT.rawValue { return .noCollection(message) }
        }
        if domain == docent_g_dbus_error() {
            let gone = [
                G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_NO_SERVER,
                G_DBUS_ERROR_DISCONNECTED, G_DBUS_ERROR_SPAWN_CHILD_EXITED, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
            ]
            if gone.contains(where: { $0.rawValue == code }) { return .noService(message) }
            // 19, "Object does not exist at …/collection/login": the collection was never unlocked.
            if code == G_DBUS_ERROR_UNKNOWN_METHOD.rawValue || code == G_DBUS_ERROR_UNKNOWN_OBJECT.rawValue {
                return .noCollection(message)
            }
        }
        return isConnecting ? .noService(message) : .failed(message)
    }
}
