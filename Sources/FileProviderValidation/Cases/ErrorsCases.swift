import DocentInterfaces

/// Errors.
enum ErrorsCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "errors.unknownItem", level: 1, requirements: [.interface, .errors],
            "Every call about a missing item is answered with NoSuchItem."
        ) { try await unknownItem($0) },
        ValidationCase(
            "errors.steady", level: 2, requirements: [.interface],
            "A call that is repeated thirty times always gets the same answer."
        ) { try await steady($0) },
        ValidationCase(
            "errors.texts", level: 2, requirements: [.interface, .errorTexts],
            "An error has a sentence for people, and causes that say where they come from."
        ) { try await texts($0) },
    ]

    private static func unknownItem(_ context: CaseContext) async throws {
        let unknown = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal([.noSuchItem], did: "Item of a missing item") {
            try await context.item(unknown)
        }
        try await context.expectRefusal([.noSuchItem], did: "Children of a missing item") {
            try await context.page(of: unknown)
        }
        try await context.expectRefusal([.noSuchItem], did: "Child in a missing folder") {
            try await context.child("none", in: unknown)
        }
        try await context.expectRefusal([.noSuchItem], did: "Child of a missing name") {
            try await context.child(context.freshName("none"), in: CaseContext.root)
        }
        if context.has(.inPlace) {
            try await context.expectRefusal([.noSuchItem], did: "OpenInPlace of a missing item") {
                try await context.openInPlace(unknown).item
            }
        } else if !context.has(.classic) {
            try await context.expectRefusal([.noSuchItem], did: "Fetch of a missing item") {
                try await context.fetch(unknown)
            }
        }
    }

    private static func steady(_ context: CaseContext) async throws {
        let first = try await context.item(CaseContext.root)
        for number in 2...30 {
            let again = try await context.problem {
                let item = try await context.item(CaseContext.root)
                context.expect(
                    item.identifier == first.identifier && item.isFolder, did: "Item of the top folder, call \(number)",
                    expected: PlainText.item(first), got: PlainText.item(item))
            }
            guard let again else { continue }
            context.report(again, expected: "the same answer as before, in call \(number)")
            // The provider has ended: the remaining calls would get no answer.
            if again.isEnd { return }
        }
    }

    private static func texts(_ context: CaseContext) async throws {
        let unknown = "no-such-item-" + context.random { $0.word(12) }
        guard let failure = try await context.problem({ try await context.item(unknown) })?.failure else { return }
        context.expect(
            !failure.message.isEmpty && failure.message.utf8.count <= 8_192, did: "Item of a missing item",
            expected: "an error with a sentence", got: "a message of \(failure.message.utf8.count) bytes")
        for cause in failure.causes {
            context.expect(
                !cause.domain.isEmpty, did: "Item of a missing item",
                expected: "causes that name the domain of their numbers", got: "a cause without a domain")
        }
    }
}
