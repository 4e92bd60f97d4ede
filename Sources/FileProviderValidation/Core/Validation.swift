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
    /// The settings of the cases.
    public var options: ValidationOptions
    private let subject: ProviderSubject

    /// Creates a validation of a class.
    ///
    /// - Parameters:
    ///   - provider: the manifest's principal class. As in a manifest, a private class cannot be found by its name.
    ///   - settings: the user's settings for its domain.
    ///   - folder: the folder of its domain, for providers of local files.
    ///   - options: the settings of the cases.
    public init(
        of provider: any ReplicatedFileProvider.Type, settings: [String: String] = [:], folder: String? = nil,
        options: ValidationOptions = ValidationOptions()
    ) {
        self.init(String(reflecting: provider), settings, folder, options)
    }

    /// Creates a validation of a class in the form of iOS 8.
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
    ///   - service: whether to include the cases that act on the service behind the provider;
    ///     ``ValidationOptions/service`` says how they do.
    public static func cases(level: Int = 5, service: Bool = false) -> [ValidationCase] {
        ValidationCase.all.filter {
            $0.level <= level && $0.abilities.isSubset(of: InProcessTransport().abilities)
                && (service || !$0.needsService)
        }
    }

    /// Runs one case.
    ///
    /// - Returns: the result; if the case was skipped, with the reason.
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

/// A case that failed. Its description is for people.
public struct ValidationFailure: Error, CustomStringConvertible {
    /// The result of the case.
    public let result: CaseResult

    init(_ result: CaseResult) { self.result = result }

    /// Every misbehaviour: what was done, what was expected, what happened, and the requirement.
    public var description: String { "\n" + ValidationReport.lines(of: result).joined(separator: "\n") }
}
