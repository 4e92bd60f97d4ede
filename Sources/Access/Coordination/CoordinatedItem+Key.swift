package import Coordination
package import Rights

extension ItemKey {
    /// The same key in the type of the coordination engine.
    package var coordinated: CoordinatedItem {
        CoordinatedItem(provider: provider, domain: domain, identifier: identifier)
    }
}

extension CoordinatedItem {
    /// The same key in the type that the rest of the host uses.
    package var item: ItemKey {
        ItemKey(provider: provider, domain: domain, identifier: identifier)
    }
}
