import Glibc
import Testing

@testable import ExtensionManifest

/// The time that a long list in a manifest takes grows with its length, and not with the square of it.
@Suite struct ManifestGrowthTests {
    /// A list that an author can make as long as a manifest may be.
    enum List: String, CaseIterable, CustomTestStringConvertible {
        case programs = "org.docent.spawn"
        case homePaths = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
        case absolutePaths = "com.apple.security.temporary-exception.files.absolute-path.read-only"
        case parents = "UTExportedTypeDeclarations"

        var testDescription: String { rawValue }

        func value(_ count: Int) -> PropertyListValue {
            switch self {
            case .programs: ManifestGrowthTests.texts(count, "/bin/ä")
            case .homePaths: ManifestGrowthTests.texts(count, "ä")
            case .absolutePaths: ManifestGrowthTests.texts(count, "/ä")
            case .parents:
                [
                    [
                        "UTTypeIdentifier": "org.example.note",
                        "UTTypeConformsTo": ManifestGrowthTests.texts(count, "org.example.type-"),
                    ]
                ]
            }
        }

        func count(in manifest: ExtensionManifest) -> Int? {
            switch self {
            case .programs: manifest.entitlements.spawn.count
            case .homePaths: manifest.entitlements.homeReadOnly.count
            case .absolutePaths: manifest.entitlements.absoluteReadOnly.count
            case .parents: manifest.exportedTypes.first?.conformsTo.count
            }
        }
    }

    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    private static func texts(_ count: Int, _ start: String) -> PropertyListValue {
        .array((0..<count).map { .string("\(start)\($0)") })
    }

    /// The processor time for nineteen thousand values, divided by that for a tenth of them: about ten. It would be
    /// about a hundred if each were compared with each.
    private static func growth(_ processorTime: (_ count: Int) throws -> clock_t) rethrows -> Double {
        let many = Double(try processorTime(19_000))
        return many / Double(try processorTime(1_900))
    }

    @Test("6: nineteen thousand entries of a list are read in a moment", arguments: List.allCases)
    func reading(list: List) throws {
        let growth = try Self.growth { count in
            let value = ManifestFixture.fileProvider().setting(list.rawValue, list.value(count))
            let path = try fixture.write("manifests/extension.json", value, .json)
            let started = clock()
            let report = fixture.reader().read(path)
            let ended = clock()
            #expect(report.manifest.flatMap { list.count(in: $0) } == count, "\(report.problems)")
            return ended - started
        }
        #expect(growth < 40)
    }

    @Test("6: nineteen thousand requests are listed, and compared with an agreement, in a moment")
    func requests() throws {
        let growth = try Self.growth { count in
            let value = ManifestFixture.fileProvider()
                .setting(ManifestFixture.homeRead, Self.texts(count / 2, "read"))
                .setting(ManifestFixture.homeWrite, Self.texts(count / 2, "write"))
            try fixture.write("manifests/extension.json", value, .json)
            let provider = try #require(fixture.scan().providers.first)
            let started = clock()
            let requests = provider.requests
            let limited = provider.limited(to: [])
            let ended = clock()
            // The document group is one too.
            #expect(requests.count == count + 1)
            #expect(limited.fileProvider?.entitlements.homeReadOnly.isEmpty == true)
            return ended - started
        }
        #expect(growth < 40)
    }

    @Test("6: nineteen thousand entitlements are imported in a moment")
    func importing() throws {
        let info = ManifestFixture.fileProvider().dictionaryValue ?? [:]
        let key = ManifestKey.keychainAccessGroups.rawValue
        let growth = try Self.growth { count in
            let entitlements = [key: Self.texts(count, "org.example.group-")]
            let started = clock()
            let made = try ManifestImport(info, entitlements: entitlements, ManifestImport.Options())
            let ended = clock()
            #expect(made.contents[key]?.arrayValue?.count == count)
            return ended - started
        }
        #expect(growth < 40)
    }
}
