import Foundation
import Glibc

/// Tries to reach the session bus.
enum Reaching {
    /// - Parameters:
    ///   - how: `path` or `abstract` for a socket of that name; `environment` for the addresses in the process's
    ///     environment.
    ///   - place: the name.
    /// - Returns: `[reached]` when a bus answered the greeting, otherwise `[errno N]`.
    static func attempt(_ how: String, _ place: String) -> String {
        switch how {
        case "path": return greet(Array(place.utf8))
        case "abstract": return greet([0] + Array(place.utf8))
        default:
            let environment = ProcessInfo.processInfo.environment
            let names = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "GNOME_KEYRING_CONTROL", "SSH_AUTH_SOCK"]
            let told = names.filter { environment[$0] != nil }
            return "[told \(told.joined(separator: " "))]"
        }
    }

    // The beginning of the D-Bus protocol: only a bus answers OK to it.
    private static func greet(_ name: [UInt8]) -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return "[errno \(errno)]" }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count < 108 else { return "[errno \(ENAMETOOLONG)]" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard connected == 0 else { return "[errno \(errno)]" }
        var wait = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let user = "\(getuid())".utf8.map { String(format: "%02x", $0) }.joined()
        let greeting = [0] + Array("AUTH EXTERNAL \(user)\r\n".utf8)
        guard write(descriptor, greeting, greeting.count) == greeting.count else { return "[errno \(errno)]" }
        var answer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &answer, answer.count)
        guard count > 0 else { return "[errno \(errno)]" }
        return String(decoding: answer.prefix(count), as: UTF8.self).hasPrefix("OK ") ? "[reached]" : "[no bus]"
    }
}
