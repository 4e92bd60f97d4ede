/// Which messages presenters receive before a claim is granted and after it has ended.
enum MessagePlan {
    /// The relation of a presented item to the item of a claim or change.
    enum Relation: Hashable, Sendable, CaseIterable {
        /// The presented item is the item.
        case item
        /// The presented item is a package that contains the item.
        case enclosingPackage
        /// The presented item is an ordinary folder that contains the item.
        case enclosingDirectory
        /// The presented item is inside the item.
        case contained

        /// The relation of a presented item to another one; nil when they are unrelated.
        init?(of presented: ItemLocation, to item: ItemLocation) {
            if presented.item == item.item {
                self = .item
            } else if item.packages.contains(presented.item) {
                self = .enclosingPackage
            } else if item.folders.contains(presented.item) {
                self = .enclosingDirectory
            } else if presented.folders.contains(item.item) {
                self = .contained
            } else {
                return nil
            }
        }
    }

    /// The questions to a presenter for one access, in order.
    ///
    /// - Parameter prepares: whether the claim only prepares; then presenters of items inside the item are also asked.
    static func questions(
        for intent: ItemAccess.Intent, to relation: Relation, prepares: Bool
    ) -> [PresenterMessage.Kind] {
        let isConcerned = relation == .item || relation == .enclosingPackage || (prepares && relation == .contained)
        switch intent {
        case .reading(let options):
            guard isConcerned else { return [] }
            return options.contains(.withoutChanges) ? [.relinquishToReader] : [.relinquishToReader, .saveChanges]
        case .writing(let options):
            guard isConcerned || (options.concernsContents && relation == .contained) else { return [] }
            if options.contains(.forEvicting) { return [.accommodateEviction] }
            if options.contains(.forMerging) { return [.relinquishToWriter, .saveChanges] }
            guard options.removes else { return [.relinquishToWriter] }
            let isInside = relation == .enclosingPackage
            return [.relinquishToWriter, isInside ? .accommodateSubitemDeletion : .accommodateDeletion]
        }
    }

    /// The questions to a presenter for all accesses of a claim, in order: to relinquish, then to save, then to
    /// accommodate, each at most once. An item that is both read and written counts as written.
    static func questions(for claim: Claim, to presented: ItemLocation) -> [PlannedMessage] {
        let written = Set(claim.accesses.lazy.filter(\.isWriting).map(\.location.item))
        var all: [PlannedMessage] = []
        for access in claim.accesses where access.isWriting || !written.contains(access.location.item) {
            guard let relation = Relation(of: presented, to: access.location) else { continue }
            all += questions(for: access.intent, to: relation, prepares: claim.prepares)
                .map { PlannedMessage($0, access.location.item) }
        }
        let relinquish = all.first { $0.kind == .relinquishToWriter } ?? all.first { $0.kind == .relinquishToReader }
        let save = all.first { $0.kind == .saveChanges }
        var result = [relinquish, save].compactMap(\.self)
        let accommodations: [PresenterMessage.Kind] = [
            .accommodateDeletion, .accommodateSubitemDeletion, .accommodateEviction,
        ]
        for message in all where accommodations.contains(message.kind) {
            if !result.contains(message) { result.append(message) }
        }
        return result
    }

    /// Whether a question need not be repeated within a claim that prepared for it.
    static func isCovered(_ kind: PresenterMessage.Kind, by told: Set<PresenterMessage.Kind>) -> Bool {
        told.contains(kind) || (kind == .relinquishToReader && told.contains(.relinquishToWriter))
    }

    /// The notification of a presenter after a change of an item.
    static func news(_ change: ChangeKind, to relation: Relation) -> PresenterMessage.Kind? {
        switch (change, relation) {
        case (.content, .item), (.content, .enclosingPackage), (.deleted, .enclosingPackage): .didChange
        case (.content, .enclosingDirectory), (.deleted, .enclosingDirectory): .subitemDidChange
        case (.content, .contained): nil
        case (.deleted, .item), (.deleted, .contained): .didDelete
        case (.appeared, .item): .didChange
        case (.appeared, .enclosingPackage), (.appeared, .enclosingDirectory): .subitemDidAppear
        case (.appeared, .contained): nil
        case (.gainedVersion(let version), .item): .didGainVersion(version)
        case (.lostVersion(let version), .item): .didLoseVersion(version)
        case (.resolvedVersion(let version), .item): .didResolveConflict(version)
        case (.gainedVersion, .contained), (.lostVersion, .contained), (.resolvedVersion, .contained): nil
        case (.gainedVersion(let version), _): .subitemDidGainVersion(version)
        case (.lostVersion(let version), _): .subitemDidLoseVersion(version)
        case (.resolvedVersion(let version), _): .subitemDidResolveConflict(version)
        }
    }
}
