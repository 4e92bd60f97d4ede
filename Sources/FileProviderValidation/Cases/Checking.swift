import DocentInterfaces

/// Checks that many cases share.
extension CaseContext {
    /// Checks a condition repeatedly, at most as long as the provider may take to answer: services may be late.
    ///
    /// - Returns: whether the condition became true.
    func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + deadline
        var pause = 20
        while true {
            if try await isSo() { return true }
            if ContinuousClock.now >= end { return false }
            try await Task.sleep(for: .milliseconds(pause))
            pause = min(pause * 2, 500)
        }
    }

    /// Reports unless an item is found in all three ways: by its identifier, by its name, and once in the list of its
    /// folder.
    func expectFound(_ item: Wire.ProviderItem, name: String, in parent: String, after what: String) async throws {
        let wanted =
            "\(item.isFolder ? "the folder" : "the document") \(PlainText.quoted(name)), identifier "
            + "\(PlainText.quoted(item.identifier)), in \(PlainText.quoted(parent))"
        func isRight(_ other: Wire.ProviderItem) -> Bool {
            Self.isSame(other.identifier, item.identifier) && Self.isSame(other.name, name)
                && Self.isSame(other.parent, parent) && other.isFolder == item.isFolder
        }
        expect(isRight(item), did: what, expected: wanted, got: PlainText.item(item), requirement: .identity)
        let alone = try await self.item(item.identifier)
        expect(
            isRight(alone), did: "Item after \(what)", expected: wanted, got: PlainText.item(alone),
            requirement: .identity)
        let named = try await child(name, in: parent)
        expect(
            isRight(named), did: "Child \(PlainText.quoted(name)) after \(what)", expected: wanted,
            got: PlainText.item(named), requirement: .identity)
        let list = try await list(parent)
        let found = list.filter { Self.isSame($0.name, name) || Self.isSame($0.identifier, item.identifier) }
        expect(
            found.count == 1 && found.allSatisfy(isRight), did: "Listing \(PlainText.quoted(parent)) after \(what)",
            expected: "once " + wanted,
            got: found.isEmpty
                ? "nothing of that name or identifier" : found.map(PlainText.item).joined(separator: "; "))
    }

    /// Reports unless an item is gone in all three ways: by its identifier, by its name, and in the list of its folder.
    func expectGone(_ item: Wire.ProviderItem, from parent: String, name: String, after what: String) async throws {
        try await expectRefusal([.noSuchItem], did: "Item of \(PlainText.quoted(name)) after \(what)") {
            try await self.item(item.identifier)
        }
        try await expectNoName(name, in: parent, after: what)
    }

    /// Reports unless a folder has no item with a name.
    func expectNoName(_ name: String, in parent: String, after what: String) async throws {
        try await expectRefusal([.noSuchItem], did: "Child \(PlainText.quoted(name)) after \(what)") {
            try await child(name, in: parent)
        }
        let left = try await list(parent).filter { Self.isSame($0.name, name) }
        expect(
            left.isEmpty, did: "Listing \(PlainText.quoted(parent)) after \(what)",
            expected: "no \(PlainText.quoted(name))", got: left.map(PlainText.item).joined(separator: "; "))
    }

    /// The errors with which an invalid call may be refused.
    static var refusals: [FailureCode] { [.invalidArgument, .notPermitted, .notSupported] }

    /// Skips the rest of a case that writes if the provider keeps its documents only in memory.
    func requireKept() throws {
        guard options.keepsDocuments else { try skip("the provider keeps its documents only in memory") }
    }

    /// Reports unless the document with an identifier has the given content.
    func expectBytes(
        _ content: [UInt8], of identifier: String, after what: String, requirement: ProviderRequirement? = nil
    )
        async throws
    {
        let bytes = try await read(identifier)
        expect(
            bytes == content, did: "Reading \(PlainText.quoted(identifier)) after \(what)",
            expected: "the \(content.count) bytes that were written last", got: PlainText.difference(bytes, content),
            requirement: requirement)
    }

    /// The problem of a failed call; nil if it succeeded.
    func problem<Value>(_ call: () async throws -> Value) async throws -> CallProblem? {
        do {
            _ = try await call()
            return nil
        } catch let problem as CallProblem {
            return problem
        }
    }
}
