extension ProviderDescription {
    /// Everything that its extensions ask for, each request once, always in the same order.
    package var requests: [ProviderRequest] {
        var result: [ProviderRequest] = []
        var seen: Set<ProviderRequest> = []
        func add(_ kind: ProviderRequest.Kind, _ values: [String]) {
            for request in values.map({ ProviderRequest(kind, $0) }) where seen.insert(request).inserted {
                result.append(request)
            }
        }
        add(.documentGroup, documentGroup.map { [$0] } ?? [])
        for entitlements in extensions.map(\.entitlements) {
            add(.network, entitlements.networkClient ? [""] : [])
            add(.homeReadWrite, entitlements.homeReadWrite)
            add(.homeReadOnly, entitlements.homeReadOnly)
            add(.absoluteReadWrite, entitlements.absoluteReadWrite)
            add(.absoluteReadOnly, entitlements.absoluteReadOnly)
            add(.spawn, entitlements.spawn)
            add(.loopbackListener, entitlements.loopbackListener ? [""] : [])
            add(.keychainGroup, entitlements.keychainAccessGroups)
        }
        let asked = limits
        for kind in asked.raised { add(.init(kind), [String(asked[kind])]) }
        return result
    }

    /// What it asks for beyond an agreement.
    package func requests(beyond agreed: Set<ProviderRequest>) -> [ProviderRequest] {
        requests.filter { !agreed.allows($0) }
    }

    /// The provider as it may run under an agreement: requests beyond the agreement are left out, and its documents
    /// stay in the agreed group. The digest remains that of the manifests.
    package func limited(to agreed: Set<ProviderRequest>) -> ProviderDescription {
        var result = self
        if let group = documentGroup, !agreed.allows(ProviderRequest(.documentGroup, group)) {
            result.documentGroup = agreed.first { $0.kind == .documentGroup }?.value
        }
        result.fileProvider = fileProvider?.limited(to: agreed)
        result.picker = picker?.limited(to: agreed)
        return result
    }
}

extension ExtensionManifest {
    fileprivate func limited(to agreed: Set<ProviderRequest>) -> ExtensionManifest {
        func allowed(_ kind: ProviderRequest.Kind, _ values: [String]) -> [String] {
            values.filter { agreed.allows(ProviderRequest(kind, $0)) }
        }
        // A folder that was agreed to for reading stays readable when an update asks to change it.
        func readable(
            _ kind: ProviderRequest.Kind, _ values: [String], changing asked: [String], agreed changed: [String]
        ) -> [String] {
            let known = Set(values).union(changed)
            return allowed(kind, values + asked.filter { !known.contains($0) })
        }
        var result = self
        result.entitlements.networkClient = entitlements.networkClient && agreed.allows(ProviderRequest(.network))
        result.entitlements.homeReadWrite = allowed(.homeReadWrite, entitlements.homeReadWrite)
        result.entitlements.homeReadOnly = readable(
            .homeReadOnly, entitlements.homeReadOnly, changing: entitlements.homeReadWrite,
            agreed: result.entitlements.homeReadWrite)
        result.entitlements.absoluteReadWrite = allowed(.absoluteReadWrite, entitlements.absoluteReadWrite)
        result.entitlements.absoluteReadOnly = readable(
            .absoluteReadOnly, entitlements.absoluteReadOnly, changing: entitlements.absoluteReadWrite,
            agreed: result.entitlements.absoluteReadWrite)
        result.entitlements.spawn = allowed(.spawn, entitlements.spawn)
        result.entitlements.loopbackListener =
            entitlements.loopbackListener && agreed.allows(ProviderRequest(.loopbackListener))
        result.entitlements.keychainAccessGroups = allowed(.keychainGroup, entitlements.keychainAccessGroups)
        for kind in limits.raised { result.limits[kind] = min(limits[kind], agreed.limit(kind)) }
        return result
    }
}
