extension UniformTypeRegistry {
    /// Whether a type is another or has it among its parents, theirs and so on (7.2).
    ///
    /// Loops of parents and types that are their own parents do no harm. A parent that nobody declares never matches.
    public func conforms(_ type: UniformType, to other: UniformType) -> Bool {
        if type == other { return true }
        var found = false
        walk(from: type) { ancestor in
            found = ancestor == other
            return !found
        }
        return found
    }

    /// Every declared type that a type conforms to, nearest first, without the type itself.
    public func supertypes(of type: UniformType) -> [UniformType] {
        var ancestors: [UniformType] = []
        walk(from: type) { ancestor in
            ancestors.append(ancestor)
            return true
        }
        return ancestors
    }

    /// Whether a provider is offered to a client (A7).
    ///
    /// A type of the client and one of the provider match when either conforms to the other: a client that takes any
    /// image is served by a provider of photographs, and a client that takes JPEG by a provider of images.
    /// `public.content` on the provider's side matches every type but folders that are no packages.
    ///
    /// - Parameters:
    ///   - types: what the client passed; with none, nothing is offered.
    ///   - supported: what the provider's manifest lists; with none, it is `public.content`.
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

    /// Visits the declared ancestors of a type, each once, until the visitor returns false.
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

    /// The parents as declared; nil when nobody declares the type.
    private func parents(of type: UniformType) -> [UniformType]? {
        if let known = system.parents[type] ?? exported.parents[type] ?? imported.parents[type] { return known }
        guard let tag = DynamicTag(type) else {
            return type.isDynamic ? nil : mime.types.layer.parents[type]
        }
        // Somebody else may declare the tag here that was unknown where the identifier was made.
        return declaredType(of: tag).map { [$0, tag.parent] } ?? [tag.parent]
    }
}
