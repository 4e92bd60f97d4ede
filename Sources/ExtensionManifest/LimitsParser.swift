/// Reads the resource limits that an extension asks for.
enum LimitsParser {
    private static let keys: [(ManifestKey, ProviderLimits.Kind)] = [
        (.limitMemory, .memory), (.limitProcesses, .processes), (.limitDisk, .disk), (.limitFiles, .files),
        (.limitProcessorWeight, .processorWeight),
    ]

    static func parse(_ manifest: DictionaryReader, _ problems: inout [ManifestProblem]) -> ProviderLimits {
        var result = ProviderLimits()
        for (key, kind) in keys {
            if let amount = manifest.number(key, in: kind.range, text: kind.text, &problems) { result[kind] = amount }
        }
        return result
    }
}
