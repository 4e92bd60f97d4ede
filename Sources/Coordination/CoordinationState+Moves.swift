/// Moved items.
extension CoordinationState {
    mutating func move(_ source: CoordinatedItem, to location: ItemLocation, by claim: Claim.Identifier?) {
        let old = knownLocation(of: source)
        if source == location.item, let old, old.folders == location.folders, let name = location.name,
            let former = old.name, name.isSame(as: former)
        {
            return
        }
        let origin: PresenterMessage.Origin = claim.map { .claim($0) } ?? .outside
        let excluded = claim.flatMap { claims[$0]?.claim.presenter }
        let shown = presenters.presenters(of: source).union(presenters.presenters(inside: source)).sorted()
        let before = shown.map { presenters[$0]?.presenter.location.item ?? source }
        relocate(source, to: location, movesReplacing: false)
        for (presenter, item) in zip(shown, before) where presenter != excluded {
            let now = presenters[presenter]?.presenter.location.item ?? location.item
            tell(presenter, PlannedMessage(.didMove(to: now), item), by: origin)
        }
        let around = presenters.presenters(of: (old?.folders ?? []) + location.folders).subtracting(shown)
        for presenter in around.sorted() where presenter != excluded {
            tell(presenter, PlannedMessage(.subitemDidMove(to: location.item), source), by: origin)
        }
    }

    mutating func appear(_ place: CoordinatedItem, as location: ItemLocation, by claim: Claim.Identifier?) {
        relocate(place, to: location, movesReplacing: true)
        change(location, .appeared, by: claim.map { .claim($0) } ?? .outside)
    }

    /// An item's location, as known from its claims and presenters.
    private mutating func knownLocation(of item: CoordinatedItem) -> ItemLocation? {
        if let presenter = presenters.presenters(of: item).min() { return presenters[presenter]?.presenter.location }
        for claim in claims.claims(at: item) {
            for access in claims[claim]?.claim.accesses ?? [] where access.location.item == item {
                return access.location
            }
        }
        return nil
    }

    /// Updates the locations of the claims and presenters of an item, and of everything in it.
    ///
    /// - Parameter movesReplacing: whether claims for replacing also follow. They refer to whatever is at a place, so a
    ///   move does not affect them.
    mutating func relocate(_ source: CoordinatedItem, to location: ItemLocation, movesReplacing: Bool) {
        let shown = presenters.presenters(of: source).union(presenters.presenters(inside: source))
        for presenter in shown {
            guard let old = presenters[presenter]?.presenter.location else { continue }
            presenters.relocate(presenter, to: old.following(source, to: location))
        }
        let moved = claims.claims(at: source)
        claims.spellOut(moved)
        for claim in moved {
            claims.relocate(claim) { access in
                let stays = !movesReplacing && access.location.item == source && access.replaces
                return stays ? access.location : access.location.following(source, to: location)
            }
        }
        reorder(moved)
    }

    /// Updates the waits of claims whose items have changed, in the order of arrival.
    private mutating func reorder(_ moved: [Claim.Identifier]) {
        var touched: Set<Claim.Identifier> = []
        for id in moved {
            guard let node = claims[id] else { continue }
            let conflicts = claims.conflicts(with: node.claim)
            for other in node.blockers.subtracting(conflicts) {
                claims.unblock(id, by: other)
                touched.insert(id)
            }
            for other in node.dependents.subtracting(conflicts) {
                claims.unblock(other, by: id)
                touched.insert(other)
            }
            for other in claims.inOrder(conflicts)
            where !node.blockers.contains(other) && !node.dependents.contains(other) {
                guard let rival = claims[other], !(node.isHeld && rival.isHeld) else { continue }
                let comesLater = rival.isHeld || (!node.isHeld && rival.order < node.order)
                let (first, second) = comesLater ? (other, id) : (id, other)
                if claims.waits(first, for: second) { continue }
                claims.block(second, by: first)
                suspects.append(second)
            }
        }
        promote(touched)
    }
}

extension ItemLocation {
    /// The location after an item, which is this one or a folder around it, was moved.
    func following(_ source: CoordinatedItem, to target: ItemLocation) -> ItemLocation {
        if item == source { return target }
        guard let index = folders.firstIndex(of: source) else { return self }
        let near = folders[..<index]
        return ItemLocation(
            item: item.following(source, to: target.item),
            folders: near + [target.item] + target.folders,
            packages: packages.filter(near.contains) + (target.isPackage ? [target.item] : []) + target.packages,
            isFolder: isFolder, isPackage: isPackage, name: name)
    }
}

extension CoordinatedItem {
    /// The same place in a folder that now has another name.
    fileprivate func following(_ source: CoordinatedItem, to target: CoordinatedItem) -> CoordinatedItem {
        let prefix = "\u{0}\(source.identifier)\u{0}"
        guard source != target, identifier.utf8.starts(with: prefix.utf8) else { return self }
        return .absent(String(decoding: identifier.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), in: target)
    }
}
