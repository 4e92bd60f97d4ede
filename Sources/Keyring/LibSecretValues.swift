import CLibSecret

extension CredentialKey {
    /// Reads the attributes of an item; nil when some are missing, because Docent's items have all of them.
    init?(_ attributes: OpaquePointer) {
        func value(_ name: String) -> String? { docent_attributes_get(attributes, name).map { String(cString: $0) } }
        guard let accessGroup = value(CredentialAttribute.accessGroup),
            let provider = value(CredentialAttribute.provider), let domain = value(CredentialAttribute.domain),
            let account = value(CredentialAttribute.account)
        else { return nil }
        self.init(accessGroup: accessGroup, provider: provider, domain: domain, account: account)
    }
}

extension Secret {
    /// Copies the secret that libsecret holds; libsecret wipes its own memory when the value is released.
    convenience init(secretValue: OpaquePointer) {
        var length: gsize = 0
        let bytes = secret_value_get(secretValue, &length)
        self.init(copying: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(length)))
    }
}
