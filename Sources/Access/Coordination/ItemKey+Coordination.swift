package import Coordination
package import Rights

extension Rights.ItemKey {
    /// The same key in the type of the coordination engine.
    package var coordinated: Coordination.ItemKey {
        Coordination.ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}

extension Coordination.ItemKey {
    /// The same key in the type that the rest of the host uses.
    package var item: Rights.ItemKey {
        Rights.ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}
