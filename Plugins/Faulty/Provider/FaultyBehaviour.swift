import FileProvider

/// A class of this library. It is correct but for what the script says; how, its extensions tell.
protocol FaultyBehaviour: ReplicatedFileProvider {
    /// The documents and the script.
    var core: FaultyCore { get }
}

extension FaultyBehaviour {
    /// Whether a change is carried out: it is declared and not refused by the script, or not declared and the script
    /// says to do it all the same.
    func allows(_ feature: ProviderFeatures, _ name: String) throws {
        let isDeclared = Self.features.contains(feature)
        let isMeant = isDeclared ? !core.script.strikes("declared.\(name)") : core.script.strikes("undeclared.\(name)")
        guard isMeant else { throw Trouble.notSupported }
    }
}
