package import FoundationEssentials

/// An error that a service replies to a call.
package struct VarlinkCallError: Error, Sendable, CustomStringConvertible {
    /// The fully qualified name, like `org.docent.Documents.NotFound`.
    package let name: String
    /// A JSON object.
    package let parameters: Data

    /// An error whose parameters are a JSON object already.
    package init(name: String, parameters: Data = Data("{}".utf8)) {
        self.name = name
        self.parameters = parameters
    }

    /// An error with parameters to encode; parameters that cannot be encoded become the empty object.
    package init<Parameters: Encodable>(name: String, _ parameters: Parameters) {
        self.init(name: name, parameters: (try? JSONCoding.encode(parameters)) ?? Data("{}".utf8))
    }

    /// The parameters as a type, or nil if they do not fit.
    package func decode<Parameters: Decodable>(_: Parameters.Type) -> Parameters? {
        try? JSONCoding.decode(Parameters.self, from: parameters)
    }

    /// The name and the parameters.
    package var description: String { "\(name) \(String(decoding: parameters, as: UTF8.self))" }
}

extension VarlinkCallError {
    /// A value of the parameters that is missing or does not fit; `parameter` is its path, empty for the whole.
    package static func invalidParameter(_ parameter: String) -> VarlinkCallError {
        VarlinkCallError(name: "org.varlink.service.InvalidParameter", ["parameter": parameter])
    }

    /// The method answers only calls with `more`.
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
