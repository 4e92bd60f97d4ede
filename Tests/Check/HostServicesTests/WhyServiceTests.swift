import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostTesting
import Rights
import Testing

@testable import HostServices

/// Who may reach an item and through what (I4). `WhySentencesTests` has the sentences.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct WhyServiceTests {
    private static let player = Principal(kind: .run, identifier: "org.example.player")
    private static let subtitles = Principal(kind: .run, identifier: "org.example.subtitles")

    @Test(
        "I4: the answer lists the rights to the item, to its parent folders and through companions, and refused clients"
    )
    func why() async throws {
        try await TestHost.with { host in
            let folder = host.store(.inPlace).addFolder("films")
            host.store(.inPlace).add("film.mkv", "x", in: folder)
            let file = TestProviderKind.inPlace.key(host.store(.inPlace).add("film.srt", "x", in: folder))
            let place = TestProviderKind.inPlace.place("/films/film.srt")
            let (grants, why) = (host.services.grants, host.services.why)
            _ = try await grants.add(
                Self.player, TestProviderKind.inPlace.place("/films"),
                GrantTerms.offer("read", .administration, persist: true, expires: 7200, companions: nil))
            _ = try await grants.add(
                Self.subtitles, TestProviderKind.inPlace.place("/films/film.mkv"),
                GrantTerms.offer("readWrite", .administration, persist: true, expires: nil, companions: ["{stem}.srt"]))
            let refused = await #expect(throws: Failure.self) {
                _ = try await host.services.documents.info(host.session(viewer), file)
            }
            #expect(refused?.code == .notPermitted)

            let all = try await why.why(place, client: nil)
            #expect(all.item.name == "film.srt")
            #expect(all.grants.map(\.client).sorted() == [Self.player.identifier, Self.subtitles.identifier])
            #expect(
                all.sentences.contains {
                    $0.hasPrefix("org.example.player (docent run, enforced by its sandbox) may read it")
                        && $0.contains("\"/films\"")
                }, "\(all.sentences)")
            #expect(
                all.sentences.contains {
                    $0.hasPrefix("org.example.subtitles") && $0.contains("\"film.mkv\"") && $0.contains("{stem}.srt")
                }, "\(all.sentences)")
            #expect(
                all.sentences.contains { $0.hasPrefix("viewer ") && $0.contains("was refused access to it once") },
                "\(all.sentences)")

            let one = try await why.why(place, client: Self.player.identifier)
            #expect(one.grants.map(\.client) == [Self.player.identifier])
            #expect(!one.sentences.contains { $0.contains("subtitles") || $0.contains("viewer") }, "\(one.sentences)")
            let none = try await why.why(place, client: "org.example.x")
            #expect(none.grants.isEmpty && none.sentences.first?.hasPrefix("org.example.x has no right") == true)
            let missing = await #expect(throws: Failure.self) {
                _ = try await why.why(TestProviderKind.inPlace.place("/nothing"), client: nil)
            }
            #expect(missing?.code == .notFound)
        }
    }
}
