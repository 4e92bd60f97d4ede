package import ExtensionManifest
import Glibc

/// How an extension's process ended.
package enum ExtensionExit: Sendable, Hashable, CustomStringConvertible {
    /// It returned. 5, 66 and 67 come from the host program, every other code from the plugin.
    case exited(Int32)
    /// A signal ended it: a crash, or somebody's kill.
    case signalled(Int32)
    /// It used more than it may, and was ended for that.
    case exceeded(Excess)

    /// What it used too much of.
    package enum Excess: Sendable, Hashable {
        /// More memory or processes than its limit.
        case limit(ProviderLimits.Kind, Int)
        /// What it has on disk, in words.
        case disk(String)
    }

    /// Whether it was ended for what it used.
    package var isExcess: Bool { if case .exceeded = self { true } else { false } }

    /// Whether a layer of the sandbox was missing: a refusal, not a crash (S1).
    package var isRefusal: Bool { self == .exited(5) }

    package var description: String {
        switch self {
        case .exited(0): "ended by itself"
        case .exited(5): "was refused its sandbox"
        case .exited(66): "could not load its library"
        case .exited(67): "has no docent_extension_main_v1 in its library"
        case .exited(let code): "ended with status \(code)"
        case .exceeded(.limit(.memory, let limit)):
            "used more than \(SizeText.text(limit)) of memory and was ended"
        case .exceeded(.limit(_, let limit)): "had more than \(limit) processes and threads and was ended"
        case .exceeded(.disk(let excess)): "had \(excess), and was ended"
        case .signalled(let number): "was ended by signal \(number) (\(Self.name(number)))"
        }
    }

    private static func name(_ signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "unknown"
    }

    /// What a process told by its wait status.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }
}
