import Glibc

/// The reason why a program was not started.
package struct LaunchFailure: Error, Hashable {
    /// The error number.
    package let code: CInt

    package init(code: CInt) {
        self.code = code
    }

    /// In words for people, to follow "cannot be started:".
    package var reason: String { String(cString: strerror(code)) }

    static func check(_ code: CInt) throws(LaunchFailure) {
        guard code == 0 else { throw LaunchFailure(code: code) }
    }
}
