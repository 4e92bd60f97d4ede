package import DocentInterfaces
package import FoundationEssentials
package import Rights

/// Parses the terms of a right in a call. Pure.
package enum GrantTerms {
    /// Parses an offer.
    ///
    /// - Parameters:
    ///   - persist: whether the right persists; if absent, it ends with the client unless the client takes it.
    ///   - expires: seconds from now.
    /// - Throws: ``Failure`` `InvalidArgument` with the reason.
    package static func offer(
        _ access: String, _ origin: Grant.Origin, persist: Bool?, expires: Double?, companions: [String]?
    ) throws(Failure) -> GrantOffer {
        GrantOffer(
            access: try level(access), origin: origin, isPersistent: persist == true, expires: try end(expires),
            companions: try patterns(companions))
    }

    /// Completes an offer for an item with its name. Only a document can have companions.
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

    /// Parses an access level.
    package static func level(_ name: String) throws(Failure) -> AccessLevel {
        guard let level = AccessLevel(rawValue: name) else {
            throw Failure(.invalidArgument, "\"\(name)\" is not an access.", suggestion: "Use read or readWrite.")
        }
        return level
    }

    /// Parses a kind of client.
    package static func kind(_ name: String) throws(Failure) -> Principal.Kind {
        guard let kind = Principal.Kind(rawValue: name), kind != .unknown else {
            throw Failure(
                .invalidArgument, "\"\(name)\" is not a kind of client.",
                suggestion: "The kinds are run, flatpak, snap and unconfined.")
        }
        return kind
    }

    /// The time after so many seconds, at most a hundred years from now.
    package static func end(_ seconds: Double?) throws(Failure) -> Date? {
        guard let seconds else { return nil }
        guard seconds > 0, seconds < 100 * 366 * 86_400 else {
            throw Failure(
                .invalidArgument, "A right cannot end in \(seconds) seconds.",
                suggestion: "Give a time in the future, or none for a right without an end.")
        }
        return Date.now.addingTimeInterval(seconds)
    }

    /// Parses companion patterns.
    package static func patterns(_ texts: [String]?) throws(Failure) -> [CompanionPattern] {
        do throws(CompanionPattern.Fault) {
            return try CompanionPattern.list(texts ?? [])
        } catch {
            throw Failure(
                .invalidArgument, "\(error).", suggestion: "A pattern looks like {stem}.srt or cover*.jpg.")
        }
    }
}
