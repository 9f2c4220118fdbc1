import ObjectStore
import SQLite
import Tokens
import WireFormats

/// The thumbprints of the signing keys that a sandbox knows as its own: each key that it has or had, and those of its template.
///
/// The sandbox and each copy of it keep them when a key leaves, when its issuer is removed, and after a reset. A trust can have a copy of the
/// metadata of an issuer, so signatures of such keys can arrive at any time: those of another sandbox, and those from before a reset.
struct KnownKeys: Sendable {
    /// The most thumbprints of a sandbox. The oldest ones are forgotten first.
    static let most = 4096
    private static let name = "known-keys"

    /// The beginnings of the thumbprints, as a `kid` has them, the oldest first.
    private let thumbprints: [String]
    private let unordered: Set<String>

    private init(_ thumbprints: [String]) {
        self.thumbprints = thumbprints.suffix(Self.most)
        unordered = Set(self.thumbprints)
    }

    var count: Int { thumbprints.count }

    /// Returns whether a key is known.
    /// - Parameter thumbprint: the key's thumbprint, or a `kid` of the key, which begins with it.
    func contains(_ thumbprint: String) -> Bool { unordered.contains(Self.beginning(of: thumbprint)) }

    /// Adds keys that are not known yet.
    /// - Parameter keys: the thumbprints, or each a `kid` of the key.
    /// - Returns: all that are known.
    /// - Throws: `StorageError.otherRows` if the stored ones are malformed, or an error of the database.
    static func add(_ keys: [String], in connection: Connection) throws -> KnownKeys {
        let stored = try SettingRecords.value(name, in: connection)
        // Files of earlier versions have only the keys themselves.
        let known = KnownKeys(
            try stored.map(thumbprints)
                ?? SigningKeyRing.allKeyIDs(in: connection).map(beginning))
        let new = keys.filter { !known.contains($0) }.map(beginning)
        guard stored == nil || !new.isEmpty else { return known }
        let all = KnownKeys(known.thumbprints + new)
        try SettingRecords.set(name, to: JSONValue.array(all.thumbprints.map { .string($0) }).serializedBytes(), in: connection)
        return all
    }

    /// Reads the stored form.
    /// - Throws: `StorageError.otherRows` for one that this type does not write, since without its keys other sandboxes would be trusted.
    private static func thumbprints(in record: [UInt8]) throws -> [String] {
        guard let list = try JSONValue(parsing: record).arrayValue, list.count <= most else {
            throw StorageError.otherRows(table: "settings")
        }
        return try list.map { element in
            guard let thumbprint = element.stringValue, thumbprint.utf8.count == SigningKey.thumbprintLength else {
                throw StorageError.otherRows(table: "settings")
            }
            return thumbprint
        }
    }

    private static func beginning(of thumbprint: String) -> String { String(thumbprint.prefix(SigningKey.thumbprintLength)) }
}
