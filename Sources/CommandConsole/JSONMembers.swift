/// The members of a JSON object, sorted by key. A list of pairs is made and written faster than a dictionary, and
/// listings make a hundred thousand of them.
package struct JSONMembers: Equatable, ExpressibleByDictionaryLiteral {
    /// A key with its value.
    package struct Member: Equatable {
        /// Unique among the members.
        package let key: String
        /// Its value.
        package fileprivate(set) var value: JSONValue
    }

    /// All members, sorted by key.
    package private(set) var members: [Member]

    /// Fastest if the keys are sorted already. Keys must be unique.
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }

    /// The same for pairs that are no literal.
    package init(_ pairs: some Sequence<(String, JSONValue)>) {
        members = pairs.map { Member(key: $0.0, value: $0.1) }
        if !zip(members, members.dropFirst()).allSatisfy({ $0.key < $1.key }) { members.sort { $0.key < $1.key } }
    }

    /// The value of a key; nil if it is missing. Setting nil removes it.
    package subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key >= key } ?? members.endIndex
            let isPresent = index < members.endIndex && members[index].key == key
            switch (newValue, isPresent) {
            case (let value?, true): members[index].value = value
            case (let value?, false): members.insert(Member(key: key, value: value), at: index)
            case (nil, true): members.remove(at: index)
            case (nil, false): break
            }
        }
    }
}
