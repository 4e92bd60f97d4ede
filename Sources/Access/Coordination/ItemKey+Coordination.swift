package import Coordination
package import Rights

extension Rights.ItemKey {
    /// The same as the engine of the coordination names it.
    package var coordinated: Coordination.ItemKey {
        Coordination.ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}

extension Coordination.ItemKey {
    /// The same as the rest of the host names it.
    package var item: Rights.ItemKey {
        Rights.ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}
