import FileProvider

/// A provider class of this library. It works correctly except for the faults in the script, which its extensions
/// implement.
protocol FaultyBehaviour: ReplicatedFileProvider {
    /// The documents and the script.
    var core: FaultyCore { get }
}

extension FaultyBehaviour {
    /// Whether a change is carried out: either it is declared and the script does not refuse it, or it is not declared
    /// and the script says to do it anyway.
    func allows(_ feature: ProviderFeatures, _ name: String) throws {
        let isDeclared = Self.features.contains(feature)
        let isMeant = isDeclared ? !core.script.strikes("declared.\(name)") : core.script.strikes("undeclared.\(name)")
        guard isMeant else { throw Trouble.notSupported }
    }
}
