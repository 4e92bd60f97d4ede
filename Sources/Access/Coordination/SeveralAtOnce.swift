/// Runs the same work on many elements, several at a time.
enum SeveralAtOnce {
    /// Runs the body for each element, at most `most` at once, and returns the results in order.
    ///
    /// - Throws: the first error that the body throws; the others are cancelled.
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element], most: Int = 16, _ body: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        guard elements.count > 1 else {
            var results: [Result] = []
            for element in elements { results.append(try await body(element)) }
            return results
        }
        return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var results = [Result?](repeating: nil, count: elements.count)
            for index in elements.indices {
                if index >= most, let (done, result) = try await group.next() { results[done] = result }
                group.addTask { (index, try await body(elements[index])) }
            }
            while let (done, result) = try await group.next() { results[done] = result }
            return results.compactMap(\.self)
        }
    }
}
