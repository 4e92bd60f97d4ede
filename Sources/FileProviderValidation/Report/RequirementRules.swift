/// What the numbers of requirements mean, in words for whoever does not have the list; docs/validator.md has the same.
public enum RequirementRules {
    /// The rule of a number; nil for a number that no case names.
    public static func rule(of number: String) -> String? { rules[number] }

    /// Every number, with its rule.
    package static let rules: [String: String] = [
        "7.2":
            "A call does what the interface org.docent.FileProvider says of it. What a provider declares it "
            + "does, what it does not declare it refuses",
        "7.3": "The same holds in the sandbox and behind the daemon",
        "law 3": "A provider crashes in its own process, and the next one goes on",
        "law 4": "Everything goes through one C symbol and messages, so a provider may be written in any language",
        "law 5":
            "Whatever waits has a deadline and an owner: a provider answers or tells how far it is, and "
            + "ends when its host has gone",
        "law 6": "What was answered as saved is lost by no kill",
        "A3": "The manifest can be used, and says what kind of extension it is",
        "A10": "There is one instance for each domain, from when it is needed first",
        "D5": "Of the classes of iOS 8: URL and identifier of a document lead to each other",
        "D6": "Of the classes of iOS 8: URL and identifier of a document lead to each other",
        "D7": "Of the classes of iOS 8: they make a placeholder, and the file itself, when they are asked to",
        "D8": "Of the classes of iOS 8: they make a placeholder, and the file itself, when they are asked to",
        "D10": "What nobody uses any more may go, and leaves a placeholder",
        "D13":
            "An error reaches the call that caused it and says what it means: “gone” only of what is gone for certain",
        "E3": "A document that is not here is known by its placeholder, and is fetched again",
        "E7": "A document that is not here is known by its placeholder, and is fetched again",
        "F2": "An identifier stands for one item, and always for the same one",
        "F3": "An identifier leads to its item and nowhere else, whatever it looks like",
        "G1": "Nobody reaches a document without a right to it",
        "K10": "Attributes and dates come with the content, and are kept as far as they can be",
        "M4": "A package is one document, which is replaced as a whole",
        "O1": "A local copy can be given up, and is fetched again",
        "O6": "A credential is kept in memory alone, and repeated nowhere",
        "O7": "After signing out nothing of the account is left",
        "S2": "An extension reaches what its manifest names, and nothing else",
        "S4": "Nobody who may only read gets a descriptor that can do more",
        "S5": "No process outlives its sandbox",
        "T1": "A descriptor belongs to the message that it came with",
        "T2": "Connections have nothing to do with each other",
        "T3": "A caller who hangs up has cancelled the call, and nothing else",
        "T4": "Messages have at most 1 MiB, and long lists come by the page",
        "T5": "An unknown method is answered, an unknown field ignored",
        "W1": "New content is put together elsewhere, and shows whole or not at all",
        "W5": "What was answered is there after a restart",
        "W6": "A change that comes again with the same operation is answered as before and done once",
        "W8": "Nothing is replaced that nobody looked at: not by a change of an older version, not by a new name",
        "complaint 2": "Progress moves, and can be cancelled",
        "complaint 11": "A change that others made is told",
        "complaint 18": "Identifiers outlive renames, restarts and kills",
        "complaint 32": "An error has a sentence for people and the chain of its causes",
    ]

    /// The rules of some numbers with commas between, each after its number; numbers without a rule as they are.
    static func explained(_ numbers: String) -> String {
        numbers.split(separator: ",").map { part in
            let number = String(part.drop { $0 == " " })
            return rules[number].map { "\(number): \($0)" } ?? number
        }.joined(separator: "; ")
    }
}
