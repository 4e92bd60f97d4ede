/// One thing that a provider asks for beyond the base profile of its sandbox, in the form in which agreements are
/// stored.
package struct ProviderRequest: Sendable, Hashable {
    /// The kind of request. The raw values are stored and never change.
    package enum Kind: String, Sendable, CaseIterable {
        case documentGroup = "document-group"
        case network
        case homeReadWrite = "home-read-write"
        case homeReadOnly = "home-read-only"
        case absoluteReadWrite = "read-write"
        case absoluteReadOnly = "read-only"
        case spawn
        case loopbackListener = "listener"
        case keychainGroup = "keychain-group"
        case memory = "limit-memory"
        case processes = "limit-processes"
        case disk = "limit-disk"
        case files = "limit-files"
        case processorWeight = "limit-processor-weight"

        /// The limit that is to be raised; nil for other kinds.
        var limit: ProviderLimits.Kind? {
            switch self {
            case .memory: .memory
            case .processes: .processes
            case .disk: .disk
            case .files: .files
            case .processorWeight: .processorWeight
            default: nil
            }
        }

        init(_ limit: ProviderLimits.Kind) {
            self =
                switch limit {
                case .memory: .memory
                case .processes: .processes
                case .disk: .disk
                case .files: .files
                case .processorWeight: .processorWeight
                }
        }

        /// The kind that includes this one: permission to change a folder includes permission to read it.
        var stronger: Kind? {
            switch self {
            case .homeReadOnly: .homeReadWrite
            case .absoluteReadOnly: .absoluteReadWrite
            default: nil
            }
        }
    }

    /// The kind of request.
    package let kind: Kind
    /// The path, the group or the amount; empty if the kind needs none.
    package let value: String

    /// Creates a request.
    package init(_ kind: Kind, _ value: String = "") {
        self.kind = kind
        self.value = value
    }

    /// Reads a stored line; nil if it was stored by another version of Docent and is unknown here.
    package init?(line: String) {
        let end = line.utf8.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
        guard let kind = Kind(rawValue: String(line[..<end])) else { return nil }
        self.init(kind, end == line.endIndex ? "" : String(line[line.utf8.index(after: end)...]))
    }

    /// The request as a line to be stored.
    package var line: String { value.isEmpty ? kind.rawValue : "\(kind.rawValue) \(value)" }

    /// The requested limit, if this is one.
    package var limit: (kind: ProviderLimits.Kind, amount: Int)? {
        guard let limit = kind.limit, let amount = Int(value) else { return nil }
        return (limit, amount)
    }
}

extension ProviderRequest {
    // By bytes: two spellings of an accent are two folders.
    package static func == (one: ProviderRequest, other: ProviderRequest) -> Bool {
        one.kind == other.kind && one.value.utf8.elementsEqual(other.value.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for byte in value.utf8 { hasher.combine(byte) }
    }
}

extension Set<ProviderRequest> {
    /// Whether this agreement covers a request: the same one, a stronger right to the same folder, or a higher limit.
    ///
    /// It does not cover a folder inside an agreed one: what is there may be a link that leads elsewhere.
    package func allows(_ request: ProviderRequest) -> Bool {
        if contains(request) { return true }
        if let stronger = request.kind.stronger { return contains(ProviderRequest(stronger, request.value)) }
        guard let asked = request.limit else { return false }
        return asked.amount <= limit(asked.kind)
    }

    /// The highest agreed limit of a kind; the default if there is none.
    func limit(_ kind: ProviderLimits.Kind) -> Int {
        lazy.compactMap(\.limit).filter { $0.kind == kind }.map(\.amount).reduce(kind.standard, Swift.max)
    }
}
