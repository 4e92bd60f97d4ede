package import DocentInterfaces
import Transfers

/// The rules for a user's settings of a domain. Pure.
package enum DomainSettings {
    /// Settings that the host itself uses; they are not passed to providers.
    package static let ofHost: Set<String> = ["quotaBytes", "minimumFreeBytes", DomainTransferLimits.setting]

    /// The setting with the certificates, in PEM, that must have signed a server's certificate. It can be given with
    /// any form.
    package static let certificateAuthority = "certificateAuthorityData"

    /// The setting by which a person agreed that the secret is sent to the domain's `url` without https.
    package static let unprotected = "unprotected"

    // The location of a domain's service: an agreement to use one does not hold for another.
    private static let places = ["url", "remote", "backend", "parameters"]

    /// Settings after a change; an empty value removes one. An agreement to do without https applies to one location:
    /// it ends when that changes, unless it is given again.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for an invalid name or value.
    package static func merged(
        _ settings: [String: String], with changes: [String: String]
    ) throws(Failure) -> [String: String] {
        var result = settings
        if places.contains(where: { changes[$0] != nil && changes[$0] != settings[$0] }) { result[unprotected] = nil }
        for (name, value) in changes {
            guard !name.isEmpty, name.utf8.count <= 64,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "=") })
            else { throw Failure(.invalidArgument, "\"\(name)\" cannot be the name of a setting.") }
            guard value.utf8.count <= 64 * 1024, !value.utf8.contains(0) else {
                throw Failure(.invalidArgument, "The value of \(name) is too long or is not text.")
            }
            if ofHost.contains(name), !value.isEmpty,
                (Int64(value) ?? -1) < (name == DomainTransferLimits.setting ? 1 : 0)
            {
                throw Failure(
                    .invalidArgument, "\(name) is a number, not \"\(value)\".", suggestion: "Write it with digits only."
                )
            }
            result[name] = value.isEmpty ? nil : value
        }
        guard result.count <= 64 else { throw Failure(.invalidArgument, "A domain has at most 64 settings.") }
        return result
    }
}
