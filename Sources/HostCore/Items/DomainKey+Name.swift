package import Rights

extension DomainKey {
    /// The domain of an item.
    package init(_ key: ItemKey) { self.init(provider: key.provider, domain: key.domain) }

    /// The name shown to people: the last part of the provider's identifier, and the domain if there is one.
    package var name: String {
        let short = provider.split(separator: ".").last.map(String.init) ?? provider
        return domain.isEmpty ? short : "\(short)@\(domain)"
    }
}
