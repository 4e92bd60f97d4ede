public import FileProvider
import FoundationEssentials

/// Validates a provider's class inside its own tests, where the cases of `docent provider validate` run one by one:
///
/// ```swift
/// import FileProviderValidation
/// import Testing
///
/// struct ConformanceTests {
///     @Test(arguments: Validation.cases(level: 5))
///     func conforms(to testCase: ValidationCase) async throws {
///         try await Validation(of: Greeter.self).run(testCase)
///     }
/// }
/// ```
///
/// Each case has an instance of its own, with an empty storage; `Greeter` is the provider's class.
public struct Validation: Sendable {
    /// How the cases run.
    public var options: ValidationOptions
    private let subject: ProviderSubject

    /// A validation of a class.
    ///
    /// - Parameters:
    ///   - provider: the manifest's principal class. A private class cannot be found by its name, as in a manifest.
    ///   - settings: what the user set for its domain.
    ///   - folder: the folder that its domain shows, for those that show one.
    ///   - options: how the cases run.
    public init(
        of provider: any ReplicatedFileProvider.Type, settings: [String: String] = [:], folder: String? = nil,
        options: ValidationOptions = ValidationOptions()
    ) {
        self.init(String(reflecting: provider), settings, folder, options)
    }

    /// A validation of a class in the manner of iOS 8.
    public init(
        of provider: FileProviderExtension.Type, settings: [String: String] = [:], folder: String? = nil,
        options: ValidationOptions = ValidationOptions()
    ) {
        self.init(String(reflecting: provider), settings, folder, options)
    }

    private init(_ name: String, _ settings: [String: String], _ folder: String?, _ options: ValidationOptions) {
        self.options = options
        subject = ProviderSubject(
            identifier: "org.docent.validation." + name, principalClass: name, displayName: name, folder: folder,
            settings: settings)
    }

    /// The cases of a level that can run inside a test.
    ///
    /// - Parameters:
    ///   - level: 1 to 10.
    ///   - service: also those that act on the service behind the provider; ``ValidationOptions/service`` says how.
    public static func cases(level: Int = 5, service: Bool = false) -> [ValidationCase] {
        ValidationCase.all.filter {
            $0.level <= level && $0.abilities.isSubset(of: InProcessTransport().abilities)
                && (service || !$0.needsService)
        }
    }

    /// Runs one case.
    ///
    /// - Returns: how it went; also when it was skipped, with the reason.
    /// - Throws: ``ValidationFailure`` with every misbehaviour.
    @discardableResult
    public func run(_ testCase: ValidationCase) async throws -> CaseResult {
        let result = await CaseExecution(options, subject, InProcessTransport(), service: service).run(testCase)
        if result.isFailure { throw ValidationFailure(result) }
        return result
    }

    private var service: TestedService? {
        options.service.map { command in
            TestedService(
                program: ServiceProgram(command: command, environment: ProcessInfo.processInfo.environment),
                variables: subject.serviceVariables)
        }
    }
}

/// A case that a provider did not pass. Its description is for people.
public struct ValidationFailure: Error, CustomStringConvertible {
    /// How the case went.
    public let result: CaseResult

    init(_ result: CaseResult) { self.result = result }

    /// Every misbehaviour with what was done, expected, got, and the requirement.
    public var description: String { "\n" + ValidationReport.lines(of: result).joined(separator: "\n") }
}
