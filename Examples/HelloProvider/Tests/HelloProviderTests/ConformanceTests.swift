import FileProviderValidation
import Testing

@testable import HelloProvider

/// The cases of `docent provider validate`, each as one test.
struct ConformanceTests {
    @Test(arguments: Validation.cases(level: 5))
    func conforms(to testCase: ValidationCase) async throws {
        var options = ValidationOptions()
        options.keepsDocuments = false  // only in memory
        try await Validation(of: HelloProvider.self, options: options).run(testCase)
    }
}
