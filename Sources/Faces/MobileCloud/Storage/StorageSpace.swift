import Calls
import Cloud
import Directory
import WireFormats

/// The objects of a collection that a request addresses: all of them or, in a user-isolated collection, those of one user.
enum StorageSpace: Hashable, Sendable {
    case shared
    /// The objects of the user with this ID.
    case of(String)
    /// The objects of all users; for listings only.
    case all

    /// The prefix of the objects' keys in the bucket.
    var prefix: String {
        switch self {
        case .shared, .all: ""
        case .of(let user): percentEncoded(user) + "/"
        }
    }

    /// Returns the ID and the user of the object with a key; `nil` if no object of the collection has such a key.
    func identify(_ key: String) -> (id: String, user: String?)? {
        if self == .shared { return (key, nil) }
        let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")) ?? key.endIndex
        let id = key[slash...].dropFirst()
        guard !id.isEmpty, let user = percentDecoded(key[..<slash]), !user.isEmpty,
            percentEncoded(user) == key[..<slash]
        else { return nil }
        return (String(id), user)
    }
}

/// The kind of access that a request needs.
enum StorageNeed {
    case read, write
}

/// A caller's access to a collection.
struct CollectionAccess {
    let collection: StorageCollection
    let caller: MobileCaller
    private let call: Call
    /// The names in the policy `Security_CollectionsAnonymousAccess`. Every caller has access to these collections.
    private let openCollections: [Substring]

    /// - Parameter call: the request whose journal entry records the decisions.
    init(_ collection: StorageCollection, caller: MobileCaller, policies: EnvironmentPolicies, call: Call) {
        self.collection = collection
        self.caller = caller
        self.call = call
        openCollections = (policies["Security_CollectionsAnonymousAccess"] ?? "").split(separator: ",").map { entry in
            entry.prefix { $0 != "(" }.trimmedOfBlanks
        }
    }

    /// Returns the objects that a request addresses, if the caller has the required access.
    /// - Parameters:
    ///   - user: the query parameter: a user's ID, or `*` for all users.
    ///   - isListing: whether the request lists objects.
    /// - Throws: ``MobileError``.
    func space(_ need: StorageNeed, user: String?, isListing: Bool = false) throws(MobileError) -> StorageSpace {
        guard collection.isUserIsolated else {
            guard user == nil else {
                throw MobileError(.malformedRequest, "The collection '\(collection.id)' is shared: leave out the query parameter user.")
            }
            if !openCollections.contains(Substring(collection.id)) {
                _ = try ownID()
                try require(need == .read ? .readObjects : .writeObjects)
            }
            return .shared
        }
        let own = try ownID()
        if user == "*" {
            guard isListing else { throw MobileError(.malformedRequest, "Name one user: the value * is allowed only for listings.") }
            try require(.readObjectsOfAll)
            return .all
        }
        if let user, user != own {
            try require(need == .read ? .readObjectsOfAll : .writeObjectsOfAll)
            return .of(user)
        }
        try require(need == .read ? .readObjects : .writeObjects)
        if isListing, user == nil, has([.readAll, .readWriteAll]) {
            throw MobileError(
                .malformedRequest, "With READ_ALL or READ_WRITE_ALL the query parameter user is required: a user's id, or * for all.")
        }
        return .of(own)
    }

    /// Returns the ID that identifies the caller's own objects.
    /// - Throws: ``MobileError`` for anonymous callers and social users, who have no roles.
    func ownID() throws(MobileError) -> String {
        switch caller.identity {
        case .user(let user): return user.id
        case .virtual(let name, let issuer): return MobileIdentifier.of("virtual user \(percentEncoded(issuer)) \(name)")
        case .anonymous:
            throw MobileError(.notAuthenticated, "The collection '\(collection.id)' is for users who have logged in.")
        case .social: throw MobileError(.forbidden, "Collections are for users with roles, which social users do not have.")
        }
    }

    private func has(_ permissions: [StorageCollection.Permission]) -> Bool {
        permissions.contains { permission in collection.permissions[permission]?.contains(where: caller.roles.contains) == true }
    }

    /// - Throws: ``MobileError`` with the collection's statements, if the caller's roles do not allow the action.
    private func require(_ action: Action) throws(MobileError) {
        let verdict = try MobileVerdict(
            caller, asksFor: action.rawValue, on: "collections/\(collection.id)", policy: "roles of the collection \(collection.id)",
            statements: StorageCollection.Permission.allCases.compactMap(statement))
        verdict.note(on: call)
        guard verdict.isAllowed else {
            let names = StorageCollection.Permission.allCases.filter { $0.actions.contains(action) }.map(\.rawValue)
            throw MobileError(
                .roleRequired,
                "The caller has no role with \(names.joined(separator: ", ")) in the collection '\(collection.id)'. \(verdict.explanation)")
        }
    }

    /// Returns a permission of the collection as a statement; `nil` if no role has it.
    private func statement(_ permission: StorageCollection.Permission) -> JSONValue? {
        guard let roles = collection.permissions[permission], !roles.isEmpty else { return nil }
        return [
            // A Sid may contain letters and digits only.
            "Sid": .string(permission.rawValue.filter { $0 != "_" }), "Effect": "Allow", "Principal": "*",
            "Action": .array(permission.actions.map { .string($0.rawValue) }), "Resource": "*",
            "Condition": ["ForAnyValue:StringEquals": ["mobile:Role": .array(roles.map(JSONValue.string))]],
        ]
    }

    /// The actions that a collection's permissions allow.
    fileprivate enum Action: String {
        case readObjects = "mobile:ReadObjects"
        case writeObjects = "mobile:WriteObjects"
        /// Reads objects of other users in a user-isolated collection.
        case readObjectsOfAll = "mobile:ReadObjectsOfAll"
        case writeObjectsOfAll = "mobile:WriteObjectsOfAll"
    }
}

extension StorageCollection.Permission {
    fileprivate var actions: [CollectionAccess.Action] {
        switch self {
        case .read: [.readObjects]
        case .readWrite: [.readObjects, .writeObjects]
        case .readAll: [.readObjects, .readObjectsOfAll]
        case .readWriteAll: [.readObjects, .writeObjects, .readObjectsOfAll, .writeObjectsOfAll]
        }
    }
}
