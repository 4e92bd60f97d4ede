package import DocentInterfaces
package import FoundationEssentials
package import Rights

/// Reads what a right is to be like from a call. Pure.
package enum GrantTerms {
    /// What is offered.
    ///
    /// - Parameters:
    ///   - persist: whether it lasts; absent, it ends with the client unless that takes it.
    ///   - expires: seconds from now.
    /// - Throws: ``Failure`` `InvalidArgument`, saying what is wrong.
    package static func offer(
        _ access: String, _ origin: Grant.Origin, persist: Bool?, expires: Double?, companions: [String]?
    ) throws(Failure) -> GrantOffer {
        GrantOffer(
            access: try level(access), origin: origin, isPersistent: persist == true, expires: try end(expires),
            companions: try patterns(companions))
    }

    /// The same for an item, with its name: names beside it are covered of documents only.
    package static func offer(_ offer: GrantOffer, of item: Wire.Item) throws(Failure) -> GrantOffer {
        guard offer.companions.isEmpty || !item.isFolder else {
            throw Failure(
                .invalidArgument, "\"\(item.name)\" is a folder: patterns are for names beside a document.",
                suggestion: "A right to a folder covers what is in it.")
        }
        var offer = offer
        offer.isFolder = item.isFolder
        offer.name = item.name
        return offer
    }

    /// An access by its name.
    package static func level(_ name: String) throws(Failure) -> AccessLevel {
        guard let level = AccessLevel(rawValue: name) else {
            throw Failure(.invalidArgument, "\"\(name)\" is no access.", suggestion: "It is read or readWrite.")
        }
        return level
    }

    /// A kind of clients by its name.
    package static func kind(_ name: String) throws(Failure) -> Principal.Kind {
        guard let kind = Principal.Kind(rawValue: name), kind != .unknown else {
            throw Failure(
                .invalidArgument, "\"\(name)\" is no kind of client.",
                suggestion: "Kinds are run, flatpak, snap and unconfined.")
        }
        return kind
    }

    /// A moment so many seconds from now; no more than a hundred years.
    package static func end(_ seconds: Double?) throws(Failure) -> Date? {
        guard let seconds else { return nil }
        guard seconds > 0, seconds < 100 * 366 * 86_400 else {
            throw Failure(
                .invalidArgument, "A right cannot end in \(seconds) seconds.",
                suggestion: "Give a time to come, or none for a right without an end.")
        }
        return Date.now.addingTimeInterval(seconds)
    }

    /// Patterns by their texts.
    package static func patterns(_ texts: [String]?) throws(Failure) -> [CompanionPattern] {
        do throws(CompanionPattern.Fault) {
            return try CompanionPattern.list(texts ?? [])
        } catch {
            throw Failure(
                .invalidArgument, "\(error).", suggestion: "A pattern looks like {stem}.srt or cover*.jpg.")
        }
    }
}
