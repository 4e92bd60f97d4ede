import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// Observe: changes of the items that clients present.
    func addObservation(to table: inout MethodTable) {
        table.add(Interface.Observe.self, changesState: true) { [service] parameters, _ in
            let provider = try await service.provider(parameters.domain)
            let identifier = ItemIdentifier(parameters.identifier)
            if parameters.observing {
                try await provider.startObserving(identifier)
            } else {
                await provider.stopObserving(identifier)
            }
            return Reply(.init())
        }
    }
}
