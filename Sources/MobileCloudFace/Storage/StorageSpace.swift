import Cloud
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

    /// What an object is called whose key is given, and whose it is; nothing for a key that no object of the collection has.
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
    /// The names in the policy `Security_CollectionsAnonymousAccess`, to which everybody has access.
    let openCollections: Set<Substring>

    init(_ collection: StorageCollection, caller: MobileCaller, policies: EnvironmentPolicies) {
        self.collection = collection
        self.caller = caller
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
                try require(need == .read ? [.read, .readWrite, .readAll, .readWriteAll] : [.readWrite, .readWriteAll])
            }
            return .shared
        }
        let own = try ownID()
        if user == "*" {
            guard isListing else { throw MobileError(.malformedRequest, "Name one user: objects of all can be listed only.") }
            try require([.readAll, .readWriteAll])
            return .all
        }
        if let user, user != own {
            try require(need == .read ? [.readAll, .readWriteAll] : [.readWriteAll])
            return .of(user)
        }
        try require(need == .read ? [.read, .readWrite, .readAll, .readWriteAll] : [.readWrite, .readWriteAll])
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

    private func require(_ permissions: [StorageCollection.Permission]) throws(MobileError) {
        guard has(permissions) else {
            let names = permissions.map(\.rawValue).joined(separator: ", ")
            throw MobileError(.roleRequired, "The caller has no role with \(names) in the collection '\(collection.id)'.")
        }
    }
}
