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

    @Argument(help: "A directory with library and manifests, a library, a manifest, or an installed provider.")
    var target: String?

    @Option(name: .long, help: "Which provider, where a directory has several.")
    var provider: String?

    @Option(name: .long, help: "Cases up to this level, 1 to 10.")
    var level = 5

    @Option(name: .long, help: "Only cases whose names contain a match of this regular expression.")
    var filter: String?

    @Option(name: .long, help: "The seed of all random choices.")
    var seed: UInt64?

    @Option(name: .long, help: "sandbox, process or daemon.")
    var transport = Transport.sandbox

    @Option(name: .customLong("setting"), help: "KEY=VALUE, a setting of the domain; may be repeated.")
    var settings: [String] = []

    @Option(name: .long, help: "A folder that the domain shows.")
    var folder: String?

    @Option(name: .long, help: "A directory that stands for the home: what the manifest asks for is copied from it.")
    var home: String?

    @Option(name: .long, help: "The user name to sign in with.")
    var username: String?

    @Option(name: .long, help: "A file whose first line is the password to sign in with.")
    var passwordFile: String?

    @Option(name: .long, help: "A program that acts on the service behind the provider, or directory, webdav, sftp.")
    var service: String?

    @Flag(name: .long, help: "Put a proxy between the provider and its service.")
    var proxy = false

    @Option(name: .long, help: "Milliseconds by which the proxy delays everything, each way.")
    var latency: Int?

    @Option(name: .long, help: "Seconds that a case may take.")
    var timeLimit: Double?

    @Option(name: .long, help: "Seconds that the provider may take for an answer.")
    var callLimit: Double?

    @Option(name: .customLong("ignore"), help: "CASE=REASON, a case that is known to fail; may be repeated.")
    var ignored: [String] = []

    @Flag(name: .long, help: "The provider keeps its documents in memory alone.")
    var forgetsDocuments = false

    @Flag(name: .long, help: "Identifiers are places: a move gives an item another one.")
    var identifiersArePaths = false

    /// The seed: the given one, or a new one, which the report shows.
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
            throw ValidatorProblem("--latency is for the proxy.", "Give --proxy, too.", status: 64)
        }
        if let latency, !(0...10_000).contains(latency) {
            throw ValidatorProblem(
                "\(latency) is not a number of milliseconds for --latency.", "Give 0 to 10000.", status: 64)
        }
        result.ignored = try Self.pairs(ignored, "--ignore")
        result.keepsDocuments = !forgetsDocuments
        result.identifiersArePaths = identifiersArePaths
        // A folder or a server outside the directory of a case is shared by all cases.
        result.sharesAccount = folder != nil || !settings.isEmpty || username != nil
        return result
    }

    /// The provider's domain.
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
                    "\"\(text)\" is no KEY=VALUE for \(option).", "Write the key, =, and the value.", status: 64)
            }
            result[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        return result
    }

    /// The options as arguments of this program.
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
