import FileProviderValidation
import Testing

@testable import @NAME@

/// The cases of `docent provider validate`, in this process. If the provider cannot pass one for a good reason, add its
/// name and the reason to `options.ignored`.
struct ConformanceTests {
    @Test(arguments: Validation.cases(level: 5))
    func conforms(to testCase: ValidationCase) async throws {
        try await Validation(of: @NAME@Provider.self).run(testCase)
    }
}
