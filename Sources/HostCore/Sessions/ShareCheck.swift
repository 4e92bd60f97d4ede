package import DocentInterfaces
import Varlink

/// The limits of principals, for `docent doctor`. Pure.
package enum ShareCheck {
    /// - Parameter connections: the present number of connections.
    package static func check(connections: Int) -> Wire.Check {
        let limits = PrincipalLimits.server.connections
        let calls = PrincipalLimits.waitingCalls
        let detail =
            "\(connections) of \(limits.total) connections in use; a confined client may have \(limits.confined.each) "
            + "(all of them together \(limits.confined.together)) and \(calls.confined.each) waiting calls; "
            + "unconfined programs may have \(limits.unconfined.together) together and \(calls.unconfined.each) "
            + "waiting calls each"
        let isCrowded = connections >= limits.total * 3 / 4
        return Wire.Check(
            name: "shares", status: isCrowded ? "warning" : "ok", detail: detail,
            remedy: isCrowded ? "Close programs that use Docent." : nil)
    }
}
