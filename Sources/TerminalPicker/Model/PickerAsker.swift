package import DocentInterfaces

/// The program that asks for a document.
package struct PickerAsker: Hashable, Sendable {
    /// The request.
    package var identifier: String
    /// The identifier of the program.
    package var client: String
    /// Whether that is enforced or only stated.
    package var strength: String
    package var process: Int?
    /// The program's own words.
    package var reason: String?
    /// Whether it asks to change the document, and not only to read it.
    package var mayWrite: Bool
    /// Patterns of the files beside the document that it asks for too.
    package var companions: [String]

    package init(
        identifier: String, client: String, strength: String, process: Int? = nil, reason: String? = nil,
        mayWrite: Bool = false, companions: [String] = []
    ) {
        self.identifier = identifier
        self.client = client
        self.strength = strength
        self.process = process
        self.reason = reason
        self.mayWrite = mayWrite
        self.companions = companions
    }

    package init(_ request: Wire.PickRequest) {
        self.init(
            identifier: request.identifier, client: request.client, strength: request.strength,
            process: request.process, reason: request.reason,
            mayWrite: request.mode == "open" && request.access != "read", companions: request.companions ?? [])
    }
}

/// What a person grants of what a program asked for.
package struct PickerTerms: Hashable, Sendable {
    /// How long the right lasts.
    package enum Lifetime: CaseIterable, Hashable, Sendable {
        case program
        case oneHour
        case eightHours
        case kept

        /// The words for people.
        package var text: String {
            switch self {
            case .program: "until the program ends"
            case .oneHour: "for one hour"
            case .eightHours: "for eight hours"
            case .kept: "as long as the program keeps it"
            }
        }

        /// The longest time in seconds; nil without a limit.
        package var seconds: Double? {
            switch self {
            case .oneHour: 3600
            case .eightHours: 8 * 3600
            case .program, .kept: nil
            }
        }
    }

    /// Whether the right is narrowed to reading.
    package var isReadOnly: Bool
    package var lifetime: Lifetime
    /// Whether the files beside the document are granted too.
    package var hasCompanions: Bool

    package init(isReadOnly: Bool = false, lifetime: Lifetime = .kept, hasCompanions: Bool = false) {
        self.isReadOnly = isReadOnly
        self.lifetime = lifetime
        self.hasCompanions = hasCompanions
    }
}
