package import Access
package import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
import Rights

/// What is known of many items at once, whether or not their content is here (K8). Nothing is fetched.
package struct PromisedValues: Sendable {
    /// The most items in one call.
    package static let most = 500
    // How long providers are asked in one call about what nobody knows.
    private static let patience = Duration.seconds(5)

    private let accounts: SearchAccounts
    private let gateway: DocumentGateway
    private let index: ItemIndex
    private let describer: RemoteDescriber
    private let access: AccessControl
    private let aliases: ItemAliases

    package init(
        registry: ProviderRegistry, gateway: DocumentGateway, index: ItemIndex, describer: RemoteDescriber,
        monitor: DomainMonitor, access: AccessControl, aliases: ItemAliases
    ) {
        (self.gateway, self.index, self.describer) = (gateway, index, describer)
        (self.access, self.aliases) = (access, aliases)
        accounts = SearchAccounts(registry: registry, gateway: gateway, index: index, monitor: monitor)
    }

    /// What is known of items, in their order.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for too many. What fails for one item is in its place.
    package func values(
        _ session: Session, _ references: [Wire.ItemReference]
    ) async throws -> [Wire.PromisedItem] {
        guard references.count <= Self.most else {
            throw Failure(.invalidArgument, "Values are given of at most \(Self.most) items at once.")
        }
        let keys = references.map { aliases.current($0.key) }
        var refused: [ItemKey: Failure] = [:]
        if session.principal.isConfined {
            for key in Set(keys) {
                do {
                    try await access.require(session, key, .read, for: "values")
                } catch let failure as Failure { refused[key] = failure }
            }
        }
        let known = try await self.known(keys.filter { refused[$0] == nil })
        var patience = Self.patience
        var values: [Wire.PromisedItem] = []
        for key in keys {
            if let failure = refused[key] {
                values.append(Self.value(failure))
            } else if let item = known[key] {
                values.append(.init(item: await told(session, item)))
            } else {
                values.append(await asked(session, key, &patience))
            }
        }
        return values
    }

    /// The description of one item. Its provider is asked only if it was not described before.
    ///
    /// - Throws: ``Failure``.
    func described(_ key: ItemKey) async throws -> Wire.Item {
        guard key.isStorable else { throw Failure(.notFound, "There is no such item.") }
        if let known = try await known([key])[key] { return known }
        return try await gateway.bare(key)
    }

    /// What the index has of items in accounts that are open.
    private func known(_ keys: [ItemKey]) async throws -> [ItemKey: Wire.Item] {
        let open = Set(try await accounts.open())
        let wanted = keys.filter { open.contains(SearchAccount.Identity(DomainKey($0))) }
        let items = try await describer.items(index.items(wanted), folderPath: nil)
        return Dictionary(items.map { ($0.reference.key, $0) }) { first, _ in first }
    }

    /// What its provider says of an item that nobody knows yet, if it says so in time.
    private func asked(_ session: Session, _ key: ItemKey, _ patience: inout Duration) async -> Wire.PromisedItem {
        guard key.isStorable else { return Self.value(Failure(.notFound, "There is no such item.")) }
        switch await Patience.answer(within: &patience, { [gateway] in try await gateway.bare(key) }) {
        case .success(let item): return .init(item: await told(session, item))
        case .failure(let error): return Self.value(FailureMapping.failure(error))
        case nil:
            return Self.value(
                Failure(.unavailable, "Its provider has not answered in time.", suggestion: "Try again."))
        }
    }

    private func told(_ session: Session, _ item: Wire.Item) async -> Wire.Item {
        session.principal.isConfined ? await access.told(session, item) : item
    }

    private static func value(_ failure: Failure) -> Wire.PromisedItem {
        .init(failure: failure.code.rawValue, message: failure.message)
    }
}
