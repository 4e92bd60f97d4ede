import FileProviderValidation
import Testing

@testable import @NAME@

/// The cases of `docent provider validate`, in this process. One that the provider cannot pass for a good reason goes
/// into `options.ignored`, by its name, with the reason.
struct ConformanceTests {
    @Test(arguments: Validation.cases(level: 5))
    func conforms(to testCase: ValidationCase) async throws {
        try await Validation(of: @NAME@Provider.self).run(testCase)
    }
}
