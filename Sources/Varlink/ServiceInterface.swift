/// The interface `org.varlink.service`, which every service implements.
enum ServiceInterface {
    private struct Information: VarlinkMessage {
        let vendor: String
        let product: String
        let version: String
        let url: String
        let interfaces: [String]
    }

    private struct Query: VarlinkMessage {
        let interface: String
    }

    private struct Description: VarlinkMessage {
        let description: String
    }

    private static let name = "org.varlink.service"

    static func table(information: ServiceInformation, interfaces: [MethodTable]) -> MethodTable {
        var table = MethodTable(interface: name, description: text)
        var descriptions = [name: text]
        for interface in interfaces {
            descriptions[interface.interface] = interface.description
        }
        let reply = Information(
            vendor: information.vendor, product: information.product, version: information.version,
            url: information.url, interfaces: [name] + interfaces.map(\.interface))
        table.immediate("GetInfo", NoParameters.self) { _, _ in Reply(reply) }
        table.immediate("GetInterfaceDescription", Query.self) { [descriptions] query, _ in
            guard let description = descriptions[query.interface] else {
                throw VarlinkCallError.interfaceNotFound(query.interface)
            }
            return Reply(Description(description: description))
        }
        return table
    }

    private static let text = """
        # The Varlink service interface, which every service answers.
        interface org.varlink.service

        # Information about this service, and its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The text of an interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The interface was not found.
        error InterfaceNotFound (interface: string)

        # The method was not found in its interface.
        error MethodNotFound (method: string)

        # The interface defines the method, but this service does not implement it.
        error MethodNotImplemented (method: string)

        # A parameter is missing or invalid.
        error InvalidParameter (parameter: string)

        # The caller may not do this.
        error PermissionDenied ()

        # The method requires calls with "more".
        error ExpectedMore ()

        """
}
