package import Directory

// Tests change the members of small seeds by their positions.
extension Roster {
    /// The member at a position in the order.
    package subscript(position: Int) -> Member {
        get { Array(self)[position] }
        set {
            var members = Array(self)
            members[position] = newValue
            self = Roster(members)
        }
    }

    /// The positions of the members.
    package var indices: Range<Int> { 0..<count }

    /// Returns the position of the first member that satisfies a predicate.
    package func firstIndex(where isWanted: (Member) -> Bool) -> Int? { Array(self).firstIndex(where: isWanted) }

    /// Adds a member at the end.
    package mutating func append(_ member: Member) { append(contentsOf: [member]) }
}
