import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// The methods that only the class in the form of iOS 8 has: URLs, and the calls about them.
    func addClassic(to table: inout MethodTable) {
        table.add(Interface.PersistentIdentifier.self) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            return Reply(.init(identifier: try await provider.persistentIdentifier(url: parameters.url)))
        }
        table.add(Interface.URLForItem.self) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            return Reply(.init(url: try await provider.url(identifier: parameters.identifier)))
        }
        table.add(Interface.ProvidePlaceholder.self, changesState: true) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            try await provider.providePlaceholder(ItemIdentifier(parameters.identifier))
            return Reply(.init())
        }
        table.addStream(Interface.Provide.self, requiresMore: false) { [service] parameters, call, sink in
            let provider = try await Self.classic(service, parameters.domain)
            let item = try await provider.provide(
                ItemIdentifier(parameters.identifier),
                progress: .sending(to: sink, call) { .init(completedBytes: $0, totalBytes: $1) })
            return Reply(
                .init(item: try Wire.ProviderItem(item), completedBytes: item.size, totalBytes: item.size))
        }
        table.add(Interface.ItemChanged.self, changesState: true) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            try await provider.itemChanged(ItemIdentifier(parameters.identifier))
            return Reply(.init())
        }
        table.add(Interface.StopProviding.self, changesState: true) { [service] parameters, _ in
            await (try service.provider(parameters.domain)).stopProviding(ItemIdentifier(parameters.identifier))
            return Reply(.init())
        }
    }

    private static func classic(_ service: FileProviderService, _ domain: String) async throws -> ClassicFileProvider {
        guard let provider = try await service.provider(domain) as? ClassicFileProvider else {
            throw FileProviderError(.notSupported, "This provider has identifiers but no URLs.")
        }
        return provider
    }
}
