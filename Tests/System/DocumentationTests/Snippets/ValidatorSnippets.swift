import FileProviderValidation
import Testing

// The Swift of "Testing with the validator": it runs, on the smallest provider of "Implementing a provider".

// snippet: adapter
struct ConformanceTests {
    @Test(arguments: Validation.cases(level: 5))
    func conforms(to testCase: ValidationCase) async throws {
        try await Validation(of: Greeter.self).run(testCase)
    }
}
// end
