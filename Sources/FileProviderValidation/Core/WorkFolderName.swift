package import DocentInterfaces

/// The names of the folders that cases work in, by which runs on one account tell what belongs to others.
package enum WorkFolderName {
    private static let prefix = "docent-validation-"

    /// A name that no other run has.
    ///
    /// - Parameter word: a word of the case, which follows from the seed.
    package static func make(_ word: String) -> String {
        // The same seed twice at the same time must not meet.
        prefix + word + "-" + String(UInt32.random(in: 0 ... .max), radix: 36)
    }

    /// The items of the top folder that are no work folders of other runs.
    ///
    /// - Parameter own: the name of the own work folder, if there is one.
    package static func ownItems(_ items: [Wire.ProviderItem], own: String?) -> [Wire.ProviderItem] {
        items.filter { !$0.isFolder || !$0.name.hasPrefix(prefix) || $0.name == own }
    }
}
