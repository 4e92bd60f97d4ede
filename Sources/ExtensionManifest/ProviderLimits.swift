/// The resources that one extension may use. The defaults apply if the manifest does not set limits.
package struct ProviderLimits: Sendable, Hashable, Codable {
    /// Bytes of memory for all its processes together, including its `/tmp`.
    package var memory = Kind.memory.standard
    /// Processes and threads together.
    package var processes = Kind.processes.standard
    /// Bytes on disk in its container.
    package var disk = Kind.disk.standard
    /// Files and folders in its container.
    package var files = Kind.files.standard
    /// Its CPU weight; every program of the user has 100.
    package var processorWeight = Kind.processorWeight.standard

    /// Creates the default limits.
    package init() {}

    /// What is limited.
    package enum Kind: String, CaseIterable, Sendable, Hashable, Codable {
        case memory
        case processes
        case disk
        case files
        case processorWeight

        /// The default limit.
        package var standard: Int {
            switch self {
            // The bundled providers need 20 to 60 MiB; this also suits a runtime with its own heap and a listing of
            // 100,000 items.
            case .memory: 1 << 30
            // A hundred concurrent transfers with a thread each, and a helper program.
            case .processes: 256
            // A classic provider stores its documents here. The daemon's local copies of remote documents do not count.
            case .disk: 2 << 30
            case .files: 100_000
            case .processorWeight: 50
            }
        }

        /// The values that a manifest may ask for.
        package var range: ClosedRange<Int> {
            switch self {
            case .memory: (32 << 20)...(16 << 30)
            case .processes: 8...4096
            case .disk: (1 << 20)...(1 << 40)
            case .files: 16...10_000_000
            case .processorWeight: 1...100
            }
        }

        /// Whether it counts bytes.
        package var isSize: Bool { self == .memory || self == .disk }

        /// A limit of this kind as text: `512 MiB`, `256`.
        package func text(_ amount: Int) -> String { isSize ? SizeText.text(amount) : String(amount) }

        /// The number in a text, in the unit of this kind; nil if there is none.
        package func amount(_ text: String) -> Int? { isSize ? SizeText.bytes(text) : Int(text) }
    }

    /// The limit of a kind.
    package subscript(kind: Kind) -> Int {
        get {
            switch kind {
            case .memory: memory
            case .processes: processes
            case .disk: disk
            case .files: files
            case .processorWeight: processorWeight
            }
        }
        set {
            switch kind {
            case .memory: memory = newValue
            case .processes: processes = newValue
            case .disk: disk = newValue
            case .files: files = newValue
            case .processorWeight: processorWeight = newValue
            }
        }
    }

    /// The kinds for which it asks for more than the default.
    package var raised: [Kind] { Kind.allCases.filter { self[$0] > $0.standard } }

    /// One line for each limit above the default, always in the same order; part of the digest.
    package var lines: [String] { raised.map { "limit \($0.rawValue) \(self[$0])" } }

    /// The higher limit of each kind, for two extensions that share a container.
    package func union(_ other: ProviderLimits) -> ProviderLimits { merged(other, max) }

    /// The limits, reduced to an administrator's ceilings.
    package func capped(by ceilings: [Kind: Int]) -> ProviderLimits {
        var result = self
        for (kind, ceiling) in ceilings { result[kind] = min(self[kind], ceiling) }
        return result
    }

    private func merged(_ other: ProviderLimits, _ choose: (Int, Int) -> Int) -> ProviderLimits {
        var result = self
        for kind in Kind.allCases { result[kind] = choose(self[kind], other[kind]) }
        return result
    }
}
