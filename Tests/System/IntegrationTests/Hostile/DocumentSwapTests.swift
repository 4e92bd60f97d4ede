import DocentInterfaces
import DocentTestSupport
import Documents
import Testing

/// A provider that puts other things in the places of its documents, which are files of its container.
@Suite(.needs(.daemon, .keyring)) struct DocumentSwapTests {
    @Test(
        "F3: a provider may put anything in the place of a document before any operation: nothing outside is touched",
        arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func before(_ kind: ContainerSwap.Kind) async throws {
        try await SwapStage.with(.inPlace) { stage in
            // Only from outside can it become a hard link to a file that is not the provider's. Then it can read that.
            let mayReveal = kind == .hardLink
            for operations in [SwapOperation.using] + SwapOperation.ending.map({ [$0] }) {
                try await stage.ready()
                for name in ["a.txt", "b.txt"] {
                    try ContainerSwap(place: "\(stage.storage)/\(name)", kind: kind)
                        .make(stage.canaries, names: ["a.txt", "b.txt"])
                }
                for operation in operations { try await stage.perform(operation, mayReveal: mayReveal) }
                try await stage.killDaemon()
                try await stage.perform(.cat, mayReveal: mayReveal)
            }
            try await stage.ready()
        }
    }

    @Test(
        "F3, S4: a confined client that opens a document while its provider swaps it reads only what the provider can read",
        arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func confined(_ kind: ContainerSwap.Kind) async throws {
        try await SwapStage.with(.inPlace) { stage in
            try await stage.ready()
            let client = "org.example.boxed"
            let outside = stage.installation.client("org.example.outside")
            defer { outside.close() }
            let reference = try await HostileStage.grant(
                outside, .init(provider: SwapStage.provider, domain: SwapStage.domain, path: "/a.txt"), "read",
                to: client)
            try await stage.attack(kind)
            var texts: Set<String> = []
            try await IsolationTests.withConfinedClient(stage.installation, client) { confined in
                let document = confined.document(.init(reference), access: .read)
                for _ in 0..<40 {
                    guard let descriptor = try? await document.openForReading() else { continue }
                    texts.insert(IsolationTests.text(descriptor))
                }
            }
            #expect(texts.isSubset(of: [stage.content, "own", ""]) && texts.contains(stage.content), "\(texts)")
            try stage.expectUntouched("opened by a confined client")
            try await stage.ready()
        }
    }
}
