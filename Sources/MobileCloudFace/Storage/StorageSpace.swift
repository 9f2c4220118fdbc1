import Calls
import Cloud
import Directory
import WireFormats

/// The objects of a collection that a call is about: all of them, or those of one user where each has their own.
enum StorageSpace: Hashable, Sendable {
    case shared
    /// Of the user with this id.
    case of(String)
    /// Every user's, to be listed only.
    case all

    /// What the keys of its objects begin with in the bucket.
    var prefix: String {
        switch self {
        case .shared, .all: ""
        case .of(let user): percentEncoded(user) + "/"
        }
    }

    /// What an object is called whose key is given, and whose it is; `nil` for a key that no object of the collection has.
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

/// What a caller wants to do with a space.
enum StorageNeed {
    case read, write
}

/// A collection as a caller meets it.
struct CollectionAccess {
    let collection: StorageCollection
    let caller: MobileCaller
    private let call: Call
    /// The names in the policy `Security_CollectionsAnonymousAccess`, to which everybody has access.
    let openCollections: Set<Substring>

    /// - Parameter exchange: whose journal entry names what is decided.
    init(_ collection: StorageCollection, caller: MobileCaller, policies: EnvironmentPolicies, call: Call) {
        self.collection = collection
        self.caller = caller
        self.call = call
        openCollections = Set(
            (policies["Security_CollectionsAnonymousAccess"] ?? "").split(separator: ",").map { entry in
                entry.prefix { $0 != "(" }.trimmedOfBlanks
            })
    }

    /// The space that a call is about, if the caller may do with it what it wants to.
    /// - Parameters:
    ///   - user: the query parameter: the id of a user, or `*` for all.
    ///   - isListing: whether the call is about many objects.
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
            guard isListing else { throw MobileError(.malformedRequest, "Name one user: objects of all can be listed only.") }
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
                .malformedRequest, "With READ_ALL or READ_WRITE_ALL say whose objects: the query parameter user, with an id or *.")
        }
        return .of(own)
    }

    /// The id under which the caller's own objects lie.
    /// - Throws: ``MobileError`` where nobody has logged in, or somebody without roles.
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

    /// - Throws: ``MobileError`` with the statements of the collection, where the caller's roles do not allow the action.
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

    /// A permission of the collection as a statement; `nil` for one that no role has.
    private func statement(_ permission: StorageCollection.Permission) -> JSONValue? {
        guard let roles = collection.permissions[permission], !roles.isEmpty else { return nil }
        return [
            // Sids have letters and digits only.
            "Sid": .string(permission.rawValue.filter { $0 != "_" }), "Effect": "Allow", "Principal": "*",
            "Action": .array(permission.actions.map { .string($0.rawValue) }), "Resource": "*",
            "Condition": ["ForAnyValue:StringEquals": ["mobile:Role": .array(roles.map(JSONValue.string))]],
        ]
    }

    /// What the permissions of a collection allow.
    fileprivate enum Action: String {
        case readObjects = "mobile:ReadObjects"
        case writeObjects = "mobile:WriteObjects"
        /// Of other users, in a collection where each user has their own.
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
