package import ExtensionManifest
import Glibc

/// How an extension's process ended.
package enum ExtensionExit: Sendable, Hashable, CustomStringConvertible {
    /// It returned. Codes 5, 66 and 67 come from the host program, every other code from the plugin.
    case exited(Int32)
    /// A signal ended it: a crash, or a kill from outside.
    case signalled(Int32)
    /// It exceeded a limit, and was ended for that.
    case exceeded(Excess)

    /// The limit it exceeded.
    package enum Excess: Sendable, Hashable {
        /// Its limit of memory or processes.
        case limit(ProviderLimits.Kind, Int)
        /// Its disk usage, in words.
        case disk(String)
    }

    /// Whether it was ended for exceeding a limit.
    package var isExcess: Bool { if case .exceeded = self { true } else { false } }

    /// Whether a layer of the sandbox was missing: a refusal, not a crash (S1).
    package var isRefusal: Bool { self == .exited(5) }

    package var description: String {
        switch self {
        case .exited(0): "exited by itself"
        case .exited(5): "could not be sandboxed"
        case .exited(66): "could not load its library"
        case .exited(67): "has no docent_extension_main_v1 in its library"
        case .exited(let code): "exited with status \(code)"
        case .exceeded(.limit(.memory, let limit)):
            "used more than \(SizeText.text(limit)) of memory and was stopped"
        case .exceeded(.limit(_, let limit)): "had more than \(limit) processes and threads and was stopped"
        case .exceeded(.disk(let excess)): "had \(excess), and was stopped"
        case .signalled(let number): "was killed by signal \(number) (\(Self.name(number)))"
        }
    }

    private static func name(_ signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "unknown"
    }

    /// The end that a wait status describes.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }
}
