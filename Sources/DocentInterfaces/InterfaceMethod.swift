package import Varlink

/// A method of an interface: its full name and the types of its messages.
package protocol InterfaceMethod: Sendable {
    associatedtype Parameters: VarlinkMessage
    associatedtype Reply: VarlinkMessage

    /// The interface and method, as in a call: `org.docent.Documents.Open`.
    static var name: String { get }
}

extension InterfaceMethod {
    /// The method's name without its interface.
    package static var shortName: String {
        String(name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...])
    }
}
