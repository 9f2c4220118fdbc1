import Policy
import WireFormats

/// The rules of a cloud for the tags of one resource.
package struct TagRules: Sendable {
    /// The number of tags that a resource can have.
    package let limit: Int
    /// What keys cannot begin with, in lower case.
    let reservedPrefixes: [String]
    /// Whether keys that differ in case alone are the same.
    package let foldsKeys: Bool
    /// Whether a tag with a new value keeps its place among the others; otherwise it becomes the last.
    let keepsPlaces: Bool

    /// The rules of IAM. (IAM User Guide, "Tags for IAM resources".)
    /// - Parameter foldsKeys: whether keys that differ in case alone are the same, which holds for users and roles (observed of the real
    ///   service).
    package static func aws(foldsKeys: Bool = false) -> TagRules {
        TagRules(limit: 50, reservedPrefixes: ["aws:"], foldsKeys: foldsKeys, keepsPlaces: true)
    }

    /// The rules of RAM and IMS. (RAM API Reference, "TagResources".)
    package static let alibaba = TagRules(limit: 20, reservedPrefixes: ["acs:", "aliyun"], foldsKeys: false, keepsPlaces: false)

    /// The form in which keys are compared.
    fileprivate func compared(_ key: String) -> String { foldsKeys ? key.lowercased() : key }
}

/// The reason why tags are not changed. Each cloud writes it in its own words.
package enum TagRefusal: Error, Equatable {
    /// There is no resource of this name.
    case noSuchResource(String)
    /// Two tags have the same key.
    case duplicateKeys
    /// A key begins with what the cloud keeps for itself.
    case reservedKey
    /// The resource would have more tags than it can have.
    case limitExceeded(Int)
}

extension [Tag] {
    /// Checks tags that a caller gives.
    /// - Parameter allowsDuplicates: whether a key can occur more than once.
    /// - Throws: `duplicateKeys` or `reservedKey`, in this order.
    package func check(_ rules: TagRules, allowsDuplicates: Bool = false) throws(TagRefusal) {
        guard allowsDuplicates || Set(map { rules.compared($0.key) }).count == count else { throw .duplicateKeys }
        let hasReserved = contains { tag in rules.reservedPrefixes.contains { tag.key.lowercased().hasPrefix($0) } }
        guard !hasReserved else { throw .reservedKey }
    }

    /// Adds tags. A tag replaces one with the same key.
    /// - Throws: `limitExceeded`.
    mutating func merge(_ new: [Tag], _ rules: TagRules) throws(TagRefusal) {
        if !rules.keepsPlaces { remove(new.map(\.key), rules) }
        for tag in new {
            let key = rules.compared(tag.key)
            if let index = firstIndex(where: { rules.compared($0.key) == key }) { self[index] = tag } else { append(tag) }
        }
        guard count <= rules.limit else { throw .limitExceeded(rules.limit) }
    }

    /// Removes the tags with these keys.
    mutating func remove(_ keys: [String], _ rules: TagRules) {
        let keys = Set(keys.map(rules.compared))
        removeAll { keys.contains(rules.compared($0.key)) }
    }
}
