package import Documents

/// What a person is asked to choose.
package struct PickerTask: Sendable, Equatable {
    /// A name and a folder for something that is put there.
    package struct Destination: Sendable, Equatable {
        /// The proposed name.
        package var name: String
        /// The size of what is put there in bytes; nil if unknown.
        package var size: Int?
        /// Whether the content of an existing document may be replaced.
        package var canReplace: Bool

        package init(name: String, size: Int? = nil, canReplace: Bool = false) {
            self.name = name
            self.size = size
            self.canReplace = canReplace
        }
    }

    /// The heading, such as `Choose a document to open`: Docent's own words.
    package var title: String
    /// The verb of the confirming key, such as `open`.
    package var verb: String
    /// Whether several can be chosen.
    package var allowsSeveral = false
    /// The asked types, as they are shown; nil for all.
    package var types: [String]?
    /// Whether a folder can be chosen.
    package var choosesFolders = false
    /// Whether only folders can be chosen.
    package var choosesOnlyFolders = false
    /// For export and move: what is put into the chosen folder.
    package var destination: Destination?
    /// Whether the content is fetched before the picker closes.
    package var downloads = false
    /// The program that asks; nil if the person began.
    package var asker: PickerAsker?
    /// What a program gets unless the person changes it.
    package var terms = PickerTerms()
    /// Whether the choice is carried out while the picker is shown, so that a failure is shown in it.
    package var commits = false
    /// The folder to begin in; nil for the accounts.
    package var start: DocumentLocation?

    package init(title: String, verb: String) {
        self.title = title
        self.verb = verb
    }

    /// Whether the folder that is shown can be chosen.
    var wantsFolder: Bool { destination != nil || choosesFolders }

    /// Whether only a folder can be chosen, or is needed.
    var wantsOnlyFolder: Bool { destination != nil || choosesOnlyFolders }
}
