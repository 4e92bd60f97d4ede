/// How much of the machine one extension may use. The defaults hold for a manifest that says nothing.
package struct ProviderLimits: Sendable, Hashable, Codable {
    /// Bytes of memory of all its processes together, its `/tmp` included.
    package var memory = Kind.memory.standard
    /// Processes and threads together.
    package var processes = Kind.processes.standard
    /// Bytes on disk in its container.
    package var disk = Kind.disk.standard
    /// Files and folders in its container.
    package var files = Kind.files.standard
    /// Its share of a busy processor, where every program of the user has 100.
    package var processorWeight = Kind.processorWeight.standard

    /// The defaults.
    package init() {}

    /// What is limited.
    package enum Kind: String, CaseIterable, Sendable, Hashable, Codable {
        case memory
        case processes
        case disk
        case files
        case processorWeight

        /// The limit where the manifest names none.
        package var standard: Int {
            switch self {
            // The bundled providers need 20 to 60 MiB; a runtime with its own heap and a listing of 100,000 items fit
            // as well.
            case .memory: 1 << 30
            // A hundred transfers at once, each with a thread, and a helper program.
            case .processes: 256
            // A classic provider keeps its documents here. Local copies of remote ones are the daemon's and do not
            // count.
            case .disk: 2 << 30
            case .files: 100_000
            case .processorWeight: 50
            }
        }

        /// What a manifest may ask for.
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

        /// A limit of this kind in words: `512 MiB`, `256`.
        package func text(_ amount: Int) -> String { isSize ? SizeText.text(amount) : String(amount) }

        /// The number that a text means, in the unit of this kind; nil for a text that means none.
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

    /// The kinds of which it asks for more than everybody has.
    package var raised: [Kind] { Kind.allCases.filter { self[$0] > $0.standard } }

    /// One line for each limit above the default, always in the same order; the digest pins these.
    package var lines: [String] { raised.map { "limit \($0.rawValue) \(self[$0])" } }

    /// The higher of both for each kind: two extensions that share a container.
    package func union(_ other: ProviderLimits) -> ProviderLimits { merged(other, max) }

    /// The limits under an administrator's ceilings.
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
