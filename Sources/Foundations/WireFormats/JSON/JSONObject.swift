/// The members of a JSON object in the order of the document. Names are unique by their bytes.
///
/// Lookup is a linear scan: the documents that Virga reads have a handful of members per object.
package struct JSONObject: Hashable, Sendable {
    private var storage: [Member]

    private struct Member: Hashable, Sendable {
        var name: String
        var value: JSONValue

        static func == (left: Member, right: Member) -> Bool { left.name == right.name && left.value == right.value }
    }

    /// Creates an object without members.
    package init() { storage = [] }

    /// Creates an object of these members; a repeated name replaces the earlier value.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (name, value) in members { self[name] = value }
    }

    /// The members in order.
    package var members: [(name: String, value: JSONValue)] { storage.map { ($0.name, $0.value) } }

    /// The member names in order.
    package var names: [String] { storage.map(\.name) }

    /// The number of members.
    package var count: Int { storage.count }

    /// Whether there is no member.
    package var isEmpty: Bool { storage.isEmpty }

    /// The value of a member. Setting replaces it in place or appends; setting nil removes the member.
    package subscript(name: String) -> JSONValue? {
        get { place(of: name).map { storage[$0].value } }
        set {
            let place = place(of: name)
            switch (place, newValue) {
            case (let place?, let value?): storage[place].value = value
            case (let place?, nil): storage.remove(at: place)
            case (nil, let value?): storage.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Returns whether the name of any member begins with `prefix`.
    package func containsName(startingWith prefix: String) -> Bool { storage.contains { $0.name.utf8.starts(with: prefix.utf8) } }

    /// Returns the position of the member with this name.
    func place(of name: String) -> Int? {
        // In place: a copy of each name would be counted.
        storage.withUnsafeBufferPointer { members in
            for place in members.indices where members[place].name.equals(name) { return place }
            return nil
        }
    }

    /// Replaces the value of the member at a position.
    mutating func replace(at place: Int, by value: JSONValue) { storage[place].value = value }

    /// Reserves capacity for a document of the usual size.
    mutating func reserve() { storage.reserveCapacity(8) }

    /// Appends a member. The parser has already checked that its name is new.
    mutating func append(unique name: String, _ value: JSONValue) { storage.append(Member(name: name, value: value)) }

    /// Calls `body` for each member in order, without the copy that ``members`` makes.
    func forEachMember(_ body: (String, JSONValue) -> Void) {
        for member in storage { body(member.name, member.value) }
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        if left.storage == right.storage { return true }
        guard left.count == right.count else { return false }
        return left.storage.allSatisfy { right[$0.name] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        // A sum, so that the order of members does not matter.
        var sum = 0
        for member in storage { sum &+= member.hashValue }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}
