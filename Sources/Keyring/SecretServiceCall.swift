import CLibSecret

/// One call of libsecret on a thread that may wait.
struct SecretServiceCall {
    private let service: UnsafeMutablePointer<SecretService>
    private let cancellable: UnsafeMutablePointer<GCancellable>?

    /// Connects and does some work; once more, with a new connection, when the first one turns out to be dead. No two calls
    /// may run at once.
    static func run<Value>(
        cancellable: UnsafeMutablePointer<GCancellable>?, _ work: (SecretServiceCall) throws(KeyringError) -> Value
    ) -> Result<Value, KeyringError> {
        // What GLib puts off until its main loop runs would otherwise never happen, and dead connections stay in use.
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        defer {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        for isLastTry in [false, true] {
            defer {
                // libsecret keeps one connection for the process; a service that was restarted does not know it.
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
                case .locked, .timedOut, .cancelled, .invalidKey:
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

    func store(_ secret: [UInt8], attributes: [(name: String, value: String)], label: String) throws(KeyringError) {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        let stored = secret.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                docent_secret_store(
                    service, table, label, characters.baseAddress, characters.count, cancellable, &error)
            }
        }
        if stored == 0 { throw Self.take(error, orElse: .failed("it did not store the secret")) }
    }

    func lookUp(attributes: [(name: String, value: String)]) throws(KeyringError) -> [UInt8]? {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        guard
            let value = secret_service_lookup_sync(service, docent_credential_schema(), table, cancellable, &error)
        else {
            if let error { throw Self.take(error, orElse: .failed("it gave no secret")) }
            return nil
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var length: gsize = 0
        guard let bytes = secret_value_get(value, &length) else { return [] }
        return UnsafeRawBufferPointer(start: bytes, count: Int(length)).map { $0 }
    }

    func delete(attributes: [(name: String, value: String)]) throws(KeyringError) -> Bool {
        let table = try Self.table(attributes)
        defer { g_hash_table_unref(table) }
        var error: UnsafeMutablePointer<GError>?
        let deleted = secret_service_clear_sync(service, docent_credential_schema(), table, cancellable, &error)
        if let error { throw Self.take(error, orElse: .failed("it did not delete the secret")) }
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
        var error: UnsafeMutablePointer<GError>?
        guard let collection = docent_default_collection(service, cancellable, &error) else {
            throw Self.take(error, orElse: .noCollection("there is no default collection"))
        }
        defer { docent_object_unref(collection) }
        return secret_collection_get_locked(collection) != 0 ? .locked : .available
    }

    private static func table(
        _ attributes: [(name: String, value: String)]
    ) throws(KeyringError) -> OpaquePointer {
        for (_, value) in attributes where value.utf8.contains(0) { throw .invalidKey(value) }
        guard let table = docent_attributes_new() else { throw .failed("out of memory") }
        for (name, value) in attributes { docent_attributes_set(table, name, value) }
        return table
    }

    /// Turns an error of GLib into one of ours and releases it.
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
            // 19, “Object does not exist at …/collection/login”: nobody has unlocked the collection (TRIED, trap 7).
            if code == G_DBUS_ERROR_UNKNOWN_METHOD.rawValue || code == G_DBUS_ERROR_UNKNOWN_OBJECT.rawValue {
                return .noCollection(message)
            }
        }
        return isConnecting ? .noService(message) : .failed(message)
    }
}

extension CredentialKey {
    /// Reads the attributes of an item; nil when some are missing, as nothing of ours is like that.
    fileprivate init?(_ attributes: OpaquePointer) {
        func value(_ name: String) -> String? { docent_attributes_get(attributes, name).map { String(cString: $0) } }
        guard let accessGroup = value(CredentialAttribute.accessGroup),
            let provider = value(CredentialAttribute.provider), let domain = value(CredentialAttribute.domain),
            let account = value(CredentialAttribute.account)
        else { return nil }
        self.init(accessGroup: accessGroup, provider: provider, domain: domain, account: account)
    }
}
