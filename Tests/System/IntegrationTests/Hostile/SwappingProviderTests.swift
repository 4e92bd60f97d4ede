import DocentTestSupport
import Testing

/// A provider that swaps the folders and files of its own container for other things from inside its sandbox, while
/// the host works.
@Suite(.needs(.daemon, .keyring)) struct SwappingProviderTests {
    /// A kind of swap, by a provider with one kind of documents.
    struct Attack: Sendable, CustomTestStringConvertible {
        var kind: ContainerSwap.Kind
        var documents: SwapStage.Documents

        static let all = ContainerSwap.Kind.allCases.flatMap { kind in
            SwapStage.Documents.allCases.map { Attack(kind: kind, documents: $0) }
        }
        var testDescription: String { "\(kind), \(documents)" }
    }

    @Test(
        "F3: a provider that constantly swaps everything in its container during any operation leads nothing out of it",
        arguments: Sample.shared.of(Attack.all))
    func during(_ attack: Attack) async throws {
        try await SwapStage.with(attack.documents) { stage in
            try await stage.ready()
            try await stage.attack(attack.kind)
            for operation in SwapOperation.using + SwapOperation.using { try await stage.perform(operation) }
            for operation in SwapOperation.ending {
                try await stage.ready()
                try await stage.attack(attack.kind)
                try await stage.perform(operation)
            }
            try await stage.ready()
        }
    }

    /// A kind of swap, and the operations during which the daemon is killed.
    struct Interruption: Sendable, CustomTestStringConvertible {
        var kind: ContainerSwap.Kind
        var documents: SwapStage.Documents
        var operations: [SwapOperation]
        /// Varies the moments.
        var number: Int

        static let all = ContainerSwap.Kind.allCases.enumerated().flatMap { number, kind in
            SwapStage.Documents.allCases.flatMap { documents in
                [SwapOperation.using, SwapOperation.ending].map {
                    Interruption(kind: kind, documents: documents, operations: $0, number: number)
                }
            }
        }
        var testDescription: String { "\(kind), \(documents), \(operations)" }

        /// Milliseconds.
        func delay(_ index: Int) -> Int { 15 * (1 + (number + 2 * index) % 8) }
    }

    @Test(
        "F3: the same when the daemon is killed in the middle of an operation, and the next one recovers",
        arguments: Sample.shared.of(Interruption.all))
    func killed(_ interruption: Interruption) async throws {
        try await SwapStage.with(interruption.documents) { stage in
            for (index, operation) in interruption.operations.enumerated() {
                try await stage.ready()
                try await stage.attack(interruption.kind)
                try await stage.perform(operation, killingAfter: .milliseconds(interruption.delay(index)))
            }
            try await stage.ready()
        }
    }
}
