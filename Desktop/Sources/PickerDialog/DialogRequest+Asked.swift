package import DocentInterfaces
import Documents
package import TerminalPicker

/// The request of a program that the daemon reports, and the call that answers it. Pure.
extension DialogRequest {
    /// Types that only folders have.
    private static let folderTypes: Set = ["public.folder", "public.directory"]

    /// - Returns: nil for a mode that this window does not know.
    package init?(_ request: Wire.PickRequest) {
        guard var mode = Mode(rawValue: request.mode), mode != .folder else { return nil }
        let types = request.types ?? []
        if mode == .open, !types.isEmpty, Self.folderTypes.isSuperset(of: types) { mode = .folder }
        self.init(mode: mode)
        // The daemon fetches what the program gets.
        downloads = false
        self.types = request.types
        currentName = request.name
        program = request.client
        reason = request.reason
    }

    /// The call that passes a choice on.
    package func answer(
        _ answer: DialogAnswer, to request: Wire.PickRequest, _ terms: PickerTerms
    ) -> AdministrationInterface.AnswerPick.Parameters? {
        guard let location = answer.locations.first else { return nil }
        if choosesName {
            return .init(identifier: request.identifier, location: location.parent.wire, name: location.name)
        }
        let isGranted = request.mode == Mode.open.rawValue
        return .init(
            identifier: request.identifier, location: location.wire,
            access: isGranted && terms.isReadOnly ? AccessMode.read.rawValue : nil, name: nil,
            persist: isGranted && terms.lifetime == .program ? false : nil,
            expires: isGranted ? terms.lifetime.seconds : nil,
            companions: isGranted && terms.hasCompanions ? request.companions : nil)
    }
}
