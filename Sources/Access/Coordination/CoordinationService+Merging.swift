import Coordination
import DocentInterfaces
import HostCore
package import Rights

extension CoordinationService {
    /// Runs a change that Docent itself makes of one item's content. Presenters save what they have first, so the body
    /// has to look again at what it wants to change.
    ///
    /// - Throws: what the claim throws; what the body throws.
    package func withMerge<Result: Sendable>(
        of key: ItemKey, _ body: @Sendable (ChangeRecord) async throws -> Result
    ) async throws -> Result {
        try await withClaim(
            nil, claim: nil, [(place: Wire.ItemPlace(reference: key.reference), options: .forMerging)], body)
    }
}
