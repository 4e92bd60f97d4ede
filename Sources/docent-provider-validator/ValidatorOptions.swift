import ArgumentParser
import ExtensionValidation
import FileProviderValidation
import Foundation

/// The options of a run, shared by the whole run and the process of one case.
struct ValidatorOptions: ParsableArguments {
    /// The transports to a provider.
    enum Transport: String, ExpressibleByArgument, CaseIterable {
        case sandbox, process, daemon
    }

    @Argument(help: "A directory with a library and manifests, a library, manifests, or an installed provider.")
    var target: String?

    @Option(
        name: .long, help: ArgumentHelp("Which provider, if the directory has several.", valueName: "identifier"))
    var provider: String?

    @Option(name: .long, help: "How much: 1 takes seconds, 10 is everything.")
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

    @Option(
        name: .customLong("setting"),
        help: ArgumentHelp("A setting of the domain, as `docent domains set` takes it.", valueName: "key=value"))
    var settings: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder for the domain to show. The validator works in a folder of its own in it.", valueName: "path"))
    var folder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A directory to use as the home: what the manifest asks for is copied from it.", valueName: "path"))
    var home: String?

    @Option(name: .long, help: ArgumentHelp("The user name to sign in with.", valueName: "name"))
    var username: String?

    @Option(name: .long, help: ArgumentHelp("A file whose first line is the password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A program that makes the service unreachable and changes documents in it: a command, or directory, "
                + "webdav or sftp.",
            valueName: "command"))
    var service: String?

    @Flag(
        name: .long, help: "Put a proxy between the provider and its service, which refuses connections and cuts them.")
    var proxy = false

    @Option(
        name: .long,
        help: ArgumentHelp("How much the proxy delays everything, in each direction.", valueName: "milliseconds"))
    var latency: Int?

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

    /// The settings of a run with this seed: the given one, or a new one, which the report shows.
    ///
    /// - Throws: ``ValidatorProblem`` for an option that is out of range.
    func validation(seed: UInt64) throws(ValidatorProblem) -> ValidationOptions {
        guard (1...10).contains(level) else {
            throw ValidatorProblem("There is no level \(level).", "Levels go from 1 to 10.", status: 64)
        }
        var result = ValidationOptions()
        result.level = level
        result.filter = filter
        result.seed = seed
        if let timeLimit { result.caseLimit = try Self.positive(timeLimit, "--time-limit") }
        if let callLimit { result.callDeadline = try Self.positive(callLimit, "--call-limit") }
        guard latency == nil || proxy else {
            throw ValidatorProblem("--latency needs --proxy.", "Give --proxy, too.", status: 64)
        }
        if let latency, !(0...10_000).contains(latency) {
            throw ValidatorProblem(
                "--latency takes 0 to 10000 milliseconds.", "Give a number in this range.", status: 64)
        }
        result.ignored = try Self.pairs(ignored, "--ignore")
        result.keepsDocuments = !forgetsDocuments
        result.identifiersArePaths = identifiersArePaths
        // A folder or a server outside the directory of a case is shared by all cases.
        result.sharesAccount = folder != nil || !settings.isEmpty || username != nil
        return result
    }

    /// The provider under test and its domain, as the options describe them.
    func subject(_ identifier: String, principalClass: String?, displayName: String) throws(ValidatorProblem)
        -> ProviderSubject
    {
        ProviderSubject(
            identifier: identifier, principalClass: principalClass, displayName: displayName,
            folder: try Self.checked(folder), settings: try Self.pairs(settings, "--setting"),
            credential: try credential(), home: try Self.checked(home))
    }

    private static func checked(_ folder: String?) throws(ValidatorProblem) -> String? {
        guard let folder else { return nil }
        let path = URL(fileURLWithPath: folder).standardizedFileURL.resolvingSymlinksInPath().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw ValidatorProblem("\(folder) is not a folder.", "Name an existing folder.", status: 2)
        }
        return path
    }

    private func credential() throws(ValidatorProblem) -> ProviderSubject.Credential? {
        guard username != nil || passwordFile != nil else { return nil }
        var secret: String?
        if let passwordFile {
            guard let text = try? String(contentsOfFile: passwordFile, encoding: .utf8) else {
                throw ValidatorProblem(
                    "The file \(passwordFile) cannot be read.", "Put the password into its first line.", status: 2)
            }
            secret = text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
        }
        return ProviderSubject.Credential(username: username, secret: secret)
    }

    private static func positive(_ seconds: Double, _ option: String) throws(ValidatorProblem) -> Double {
        guard seconds.isFinite, seconds > 0, seconds <= 86_400 else {
            throw ValidatorProblem(
                "\(seconds) seconds are not valid for \(option).", "Give more than 0, at most 86400.", status: 64)
        }
        return seconds
    }

    private static func pairs(_ texts: [String], _ option: String) throws(ValidatorProblem) -> [String: String] {
        var result: [String: String] = [:]
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw ValidatorProblem(
                    "\(option) takes KEY=VALUE, not \"\(text)\".", "Write the key, =, and the value.", status: 64)
            }
            result[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        return result
    }

    /// The options as arguments of this program, for the process of one case and for the command that repeats it.
    func arguments(seed: UInt64) -> [String] {
        var result = [target].compactMap { $0 }
        func add(_ name: String, _ value: String?) { if let value { result += [name, value] } }
        add("--provider", provider)
        add("--level", "\(level)")
        add("--filter", filter)
        add("--seed", "\(seed)")
        add("--transport", transport.rawValue)
        for setting in settings { add("--setting", setting) }
        add("--folder", folder)
        add("--home", home)
        add("--username", username)
        add("--password-file", passwordFile)
        add("--service", service)
        if proxy { result.append("--proxy") }
        add("--latency", latency.map { "\($0)" })
        add("--time-limit", timeLimit.map { "\($0)" })
        add("--call-limit", callLimit.map { "\($0)" })
        for pair in ignored { add("--ignore", pair) }
        if forgetsDocuments { result.append("--forgets-documents") }
        if identifiersArePaths { result.append("--identifiers-are-paths") }
        return result
    }
}
