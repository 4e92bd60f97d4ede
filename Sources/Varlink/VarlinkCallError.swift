package import FoundationEssentials

/// An error that a service returns for a call.
package struct VarlinkCallError: Error, Sendable, CustomStringConvertible {
    /// The fully qualified name, such as `org.docent.Documents.NotFound`.
    package let name: String
    /// The parameters, a JSON object.
    package let parameters: Data

    /// Creates an error with parameters that are already a JSON object.
    package init(name: String, parameters: Data = Data("{}".utf8)) {
        self.name = name
        self.parameters = parameters
    }

    /// Creates an error with parameters to encode. Parameters that cannot be encoded become the empty object.
    package init<Parameters: Encodable>(name: String, _ parameters: Parameters) {
        self.init(name: name, parameters: (try? JSONCoding.encode(parameters)) ?? Data("{}".utf8))
    }

    /// The decoded parameters; nil if they do not fit the type.
    package func decode<Parameters: Decodable>(_: Parameters.Type) -> Parameters? {
        try? JSONCoding.decode(Parameters.self, from: parameters)
    }

    /// The name and the parameters.
    package var description: String { "\(name) \(String(decoding: parameters, as: UTF8.self))" }
}

extension VarlinkCallError {
    /// A parameter is missing or invalid. `parameter` is its path, empty for the whole object.
    package static func invalidParameter(_ parameter: String) -> VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.InvalidParameter", ["parameter": parameter])
    }

    /// The method requires calls with `more`.
    package static var expectedMore: VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.ExpectedMore")
    }

    static func interfaceNotFound(_ interface: String) -> VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.InterfaceNotFound", ["interface": interface])
    }

    static func methodNotFound(_ method: String) -> VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.MethodNotFound", ["method": method])
    }

    static func methodNotImplemented(_ method: String) -> VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.MethodNotImplemented", ["method": method])
    }
}
