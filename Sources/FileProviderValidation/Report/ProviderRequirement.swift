/// A requirement that the validator tests. The raw value is the sentence that reports show.
public enum ProviderRequirement: String, Sendable, Hashable, Codable, CaseIterable {
    case interface =
        "Each call does what the interface org.docent.FileProvider says, and undeclared features are refused"
    case everyTransport = "The provider behaves the same in the sandbox and behind the daemon"
    case crashes = "A crash ends only the provider's own process, and the next process continues"  // law 3
    case entrySymbol = "The library exports one C symbol, and everything else goes through messages"  // law 4
    case deadlines = "A provider answers or reports progress in time, and ends when its host is gone"  // law 5
    case durability = "A change that was confirmed survives any kill"  // law 6
    case manifest = "The manifest is valid and says what kind of extension it describes"  // A3
    case instances = "Each domain has one instance, from its first use on"  // A10
    // D5, D6
    case classicURLs =
        "In a provider with the classes of iOS 8, the URL and the identifier of a document lead to each other"
    // D7, D8
    case classicFiles =
        "In a provider with the classes of iOS 8, the placeholder and the file are there after they were requested"
    case eviction = "A local copy that is not in use may be removed, and leaves a placeholder"  // D10
    // D13
    case errors =
        "An error reaches the call that caused it, and reports an item as gone only if it is certainly gone"
    case placeholders = "A document that is not here is recognised by its placeholder, and is fetched again"  // E3, E7
    case identity = "An identifier always stands for one and the same item"  // F2
    case containment = "An identifier leads to its item and nowhere else, whatever it looks like"  // F3
    case rights = "A document cannot be reached without a right to it"  // G1
    case metadata = "Attributes and dates are stored with the content, as far as the provider can keep them"  // K10
    case packages = "A package is one document, and is replaced as a whole"  // M4
    case localCopies = "A local copy can be removed and fetched again"  // O1
    case credentials = "A credential stays in memory and is never repeated"  // O6
    case signingOut = "Nothing of an account is left after signing out"  // O7
    case sandboxReach = "An extension reaches what its manifest names, and nothing else"  // S2
    case readingDescriptors = "A descriptor for reading cannot be used for anything else"  // S4
    case processes = "No process outlives its sandbox"  // S5
    case descriptors = "A descriptor belongs to the message with which it came"  // T1
    case connections = "Connections do not affect each other"  // T2
    case cancelling = "A caller that hangs up cancels its call, and nothing else"  // T3
    case limits = "A message has at most 1 MiB, and long lists are sent in pages"  // T4
    case growth = "An unknown method is answered, and an unknown field is ignored"  // T5
    case wholeContent = "New content appears as a whole or not at all"  // W1
    case keeping = "A confirmed change is still there after a restart"  // W5
    case repeating = "A change that is sent again with the same operation is done once and answered as before"  // W6
    case overwriting = "Nothing is replaced unseen: neither by a change of an older version nor by a new name"  // W8
    case progress = "Progress moves forward, and a transfer can be cancelled"  // complaint 2
    case news = "A change by others is reported"  // complaint 11
    case stableIdentifiers = "An identifier survives renames, restarts and kills"  // complaint 18
    case errorTexts = "An error has a sentence for people and the chain of its causes"  // complaint 32

    /// Several requirements as one text.
    static func text(of requirements: [ProviderRequirement]) -> String {
        requirements.map(\.rawValue).joined(separator: "; ")
    }
}
