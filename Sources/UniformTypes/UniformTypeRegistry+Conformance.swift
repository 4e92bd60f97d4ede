extension UniformTypeRegistry {
    /// Whether a type is another type, or has it among its ancestors.
    ///
    /// Cycles of parents, and types that are their own parent, are harmless. An undeclared parent never matches.
    public func conforms(_ type: UniformType, to other: UniformType) -> Bool {
        if type == other { return true }
        var found = false
        walk(from: type) { ancestor in
            found = ancestor == other
            return !found
        }
        return found
    }

    /// All declared types that a type conforms to, nearest first, without the type itself.
    public func supertypes(of type: UniformType) -> [UniformType] {
        var ancestors: [UniformType] = []
        walk(from: type) { ancestor in
            ancestors.append(ancestor)
            return true
        }
        return ancestors
    }

    /// Whether a provider is offered to a client.
    ///
    /// A type of the client and a type of the provider match when either conforms to the other: a provider of
    /// photographs can serve a client that accepts any image, and a provider of images can serve a client that accepts
    /// JPEG. `public.content` on the provider's side matches every type except folders that are not packages.
    ///
    /// - Parameters:
    ///   - types: the types that the client passed; if empty, no provider is offered.
    ///   - supported: the types in the provider's manifest; if empty, `public.content`.
    public func isOffered(_ types: [UniformType], supported: [UniformType]) -> Bool {
        let supported = supported.isEmpty ? [UniformType.content] : supported
        return types.contains { type in
            supported.contains { candidate in
                if candidate == .content && (!conforms(type, to: .directory) || conforms(type, to: .package)) {
                    return true
                }
                return conforms(type, to: candidate) || conforms(candidate, to: type)
            }
        }
    }

    /// Visits the declared ancestors of a type once each, until the visitor returns false.
    private func walk(from type: UniformType, _ visit: (UniformType) -> Bool) {
        var seen: Set<UniformType> = [type]
        var queue = [type]
        var next = 0
        while next < queue.count {
            for parent in parents(of: queue[next]) ?? [] where seen.insert(parent).inserted {
                guard parents(of: parent) != nil else { continue }
                if !visit(parent) { return }
                queue.append(parent)
            }
            next += 1
        }
    }

    /// The declared parents; nil when the type is not declared.
    private func parents(of type: UniformType) -> [UniformType]? {
        if let known = system.parents[type] ?? exported.parents[type] ?? imported.parents[type] { return known }
        guard let tag = DynamicTag(type) else {
            return type.isDynamic ? nil : mime.types.layer.parents[type]
        }
        // A tag that was undeclared where the identifier was created may be declared here.
        return declaredType(of: tag).map { [$0, tag.parent] } ?? [tag.parent]
    }
}
