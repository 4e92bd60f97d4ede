import ArgumentParser

/// Which cases run, and how.
struct ValidationSelection: ParsableArguments {
    /// How the provider is reached.
    enum Transport: String, ExpressibleByArgument, CaseIterable {
        case sandbox, process, daemon
    }

    @Option(name: .long, help: "How much: 1 takes seconds, 10 is everything; 0 loads no code.")
    var level = 5

    @Option(
        name: .long,
        help: ArgumentHelp("Only cases whose names match this regular expression.", valueName: "expression"))
    var filter: String?

    @Option(name: .long, help: ArgumentHelp("The number from which all random choices follow.", valueName: "number"))
    var seed: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The way to the provider: in its sandbox, as a plain process, or through a daemon of the run's own.",
            valueName: "way"))
    var transport = Transport.sandbox

    @Option(name: .long, help: ArgumentHelp("How long a case may take; some multiply it.", valueName: "seconds"))
    var timeLimit: Double?

    @Option(name: .long, help: ArgumentHelp("How long the provider may take for an answer.", valueName: "seconds"))
    var callLimit: Double?

    @Option(
        name: .customLong("ignore"),
        help: ArgumentHelp(
            "A case that is known to fail, and the reason; * at its end matches more.", valueName: "case=reason"))
    var ignored: [String] = []

    @Flag(name: .long, help: "The provider keeps its documents only in memory.")
    var forgetsDocuments = false

    @Flag(name: .long, help: "The provider's identifiers are places: a move gives an item another one.")
    var identifiersArePaths = false

    /// The same options for docent-provider-validator.
    var arguments: [String] {
        var result = ["--level", "\(level)", "--transport", transport.rawValue]
        if let filter { result += ["--filter", filter] }
        if let seed { result += ["--seed", "\(seed)"] }
        if let timeLimit { result += ["--time-limit", "\(timeLimit)"] }
        if let callLimit { result += ["--call-limit", "\(callLimit)"] }
        for pair in ignored { result += ["--ignore", pair] }
        if forgetsDocuments { result.append("--forgets-documents") }
        if identifiersArePaths { result.append("--identifiers-are-paths") }
        return result
    }
}
