package import DocentInterfaces
package import HostCore
package import Rights

// The versions of packages: folders that are versions as a whole.
extension DocumentVersions {
    /// One page of the files and folders in a kept version of a package, each folder before its contents.
    ///
    /// - Parameter page: where the page begins; nil for the first.
    /// - Throws: ``Failure``: `NotPermitted`; `NotFound` for a version of another document; `InvalidArgument` for a
    ///   version that is a file.
    package func elements(
        _ session: Session, _ key: ItemKey, _ identifier: String, page: String? = nil
    ) async throws -> (elements: [Wire.PackageElement], nextPage: String?) {
        throw Failure(.notSupported, "This version is not a package.")
    }
}
