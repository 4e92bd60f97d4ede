import DocentInterfaces

extension CaseContext {
    /// Reports what the interface forbids in a list of items or in one of them.
    func expectListed(_ items: [Wire.ProviderItem], in folder: String) {
        let did = "Children of " + PlainText.quoted(folder)
        for item in items {
            for problem in Self.problems(of: item) {
                report(
                    did: did, expected: problem.expected, got: PlainText.item(item), requirement: problem.requirement)
            }
            expect(
                Self.isSame(item.parent, folder), did: did, expected: "items whose parent it is",
                got: PlainText.item(item), requirement: .identity)
        }
        let identifiers = Dictionary(grouping: items) { Array($0.identifier.utf8) }.filter { $0.value.count > 1 }
        expect(
            identifiers.isEmpty, did: did, expected: "every identifier once",
            got: "several items with the same one: "
                + (identifiers.first?.value.map(PlainText.item).joined(separator: "; ") ?? ""),
            requirement: .identity)
        let names = Dictionary(grouping: items) { Array($0.name.utf8) }.filter { $0.value.count > 1 }
        expect(
            names.isEmpty, did: did, expected: "every name once",
            got: "several items with the same one: "
                + (names.first?.value.map(PlainText.item).joined(separator: "; ") ?? ""))
    }

    private static func problems(of item: Wire.ProviderItem) -> [(expected: String, requirement: ProviderRequirement)] {
        var problems: [(expected: String, requirement: ProviderRequirement)] = []
        func check(_ isRight: Bool, _ expected: String, _ requirement: ProviderRequirement) {
            if !isRight { problems.append((expected, requirement)) }
        }
        check(!item.identifier.isEmpty, "an identifier that is not empty", .identity)
        check(!isSame(item.identifier, root), "another identifier than that of the top folder", .identity)
        check(!item.name.isEmpty, "a name that is not empty", .interface)
        check(
            !item.name.utf8.contains(0) && !item.name.utf8.contains(UInt8(ascii: "/")), "a name without slash and NUL",
            .interface)
        check(item.name != "." && item.name != "..", "a name other than those of the folder itself", .interface)
        check((item.version?.utf8.count ?? 0) <= 128, "a version of at most 128 bytes", .limits)
        check((item.thumbnail?.utf8.count ?? 0) <= 1_024, "a thumbnail reference of at most 1,024 bytes", .limits)
        check((item.size ?? 0) >= 0, "a size that is not negative", .interface)
        check(item.modificationDate?.isFinite ?? true, "a date of modification that is a number", .interface)
        check(item.creationDate?.isFinite ?? true, "a date of creation that is a number", .interface)
        if let target = item.symbolicLinkTarget {
            check(
                !item.isFolder && !isSame(target, item.identifier) && !target.isEmpty,
                "a link that leads to something else", .interface)
        }
        return problems
    }
}
