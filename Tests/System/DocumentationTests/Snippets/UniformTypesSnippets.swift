import UniformTypes

// The Swift of the catalogue of UniformTypes.

enum UniformTypesSnippets {
    static func look(show: (UniformType) -> Void) {
        // snippet: types
        let types = UniformTypeRegistry.system()
        let type = types.type(fileName: "beach.jpeg")
        if types.conforms(type, to: .image) { show(type) }
        // end
    }
}
