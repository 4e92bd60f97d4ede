import FileProvider
import FileProviderValidation
import Testing

/// The cases inside a provider's own tests.
struct AdapterTests {
    @Test("a correct provider passes every case of level 4 inside a test", arguments: Validation.cases(level: 4))
    func conforms(to testCase: ValidationCase) async throws {
        try await Validation(of: ShelfProvider.self).run(testCase)
    }

    @Test("a misbehaviour is thrown with what was done, expected and got, and the requirement")
    func failureSaysAll() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "identifiers.listings" })
        let failure = await #expect(throws: ValidationFailure.self) {
            try await Validation(of: ForgetfulShelf.self).run(testCase)
        }
        let text = try #require(failure).description
        for part in [
            "did:", "expected:", "got:", "required: An identifier always stands for one and the same item",
            "identifiers.listings",
            "one.txt",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test("a case that needs an undeclared capability is skipped, with the reason")
    func skips() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "reading.whole" })
        let result = try await Validation(of: ShelfProvider.self).run(testCase)
        #expect(result.outcome == .skipped)
        #expect(result.reason == "the provider does not declare write")
    }

    @Test("a known exception is skipped, with its reason")
    func exceptions() async throws {
        let testCase = try #require(ValidationCase.all.first { $0.name == "identifiers.listings" })
        var options = ValidationOptions()
        options.ignored = ["identifiers.*": "books wander"]
        let result = try await Validation(of: ForgetfulShelf.self, options: options).run(testCase)
        #expect(result.outcome == .skipped)
        #expect(result.reason == "known: books wander")
    }

    @Test("a missing class is a finding of every case, and the tests continue")
    func unknownClass() async throws {
        let testCase = try #require(ValidationCase.all.first)
        let failure = await #expect(throws: ValidationFailure.self) {
            try await Validation(of: Hidden.self).run(testCase)
        }
        #expect(try #require(failure).description.contains("has no class"))
    }

    // Local types have no name that a manifest could contain.
    private struct Hidden: ReplicatedFileProvider {
        init(domain: FileProviderDomain, host: FileProviderHost) throws {}

        func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
            throw FileProviderError(.noSuchItem, "Nothing.")
        }

        func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }
    }
}
