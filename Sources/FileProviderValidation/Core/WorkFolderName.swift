package import DocentInterfaces

/// The names of the work folders of cases. Runs on one account recognise each other's folders by them.
package enum WorkFolderName {
    private static let prefix = "docent-validation-"

    /// A name that no other run has.
    ///
    /// - Parameter word: a word from the seed of the case.
    package static func make(_ word: String) -> String {
        // Two simultaneous runs with the same seed must not collide.
        prefix + word + "-" + String(UInt32.random(in: 0 ... .max), radix: 36)
    }

    /// The items of the top folder that are not work folders of other runs.
    ///
    /// - Parameter own: the name of the run's own work folder, if there is one.
    package static func ownItems(_ items: [Wire.ProviderItem], own: String?) -> [Wire.ProviderItem] {
        items.filter { !$0.isFolder || !$0.name.hasPrefix(prefix) || $0.name == own }
    }
}
