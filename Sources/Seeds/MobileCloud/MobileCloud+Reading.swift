package import Directory

// The mobile cloud's parts as an administrator hands them over: one object each, as it stands in seeds.

extension MobileBackend {
    /// - Parameter existing: the backend of the same name, whose keys stay where the text does not say others; a new backend gets new ones.
    /// - Throws: `SeedError`, or an error of the keys' making.
    package init(reading text: [UInt8], keeping existing: (_ key: String) -> MobileBackend?) throws {
        let seed = try SeedMobileBackend(part: text)
        self = try seed.backend(keeping: existing(seed.backend.key))
    }

    /// Makes the backend's secrets anew.
    /// - Throws: an error of their making.
    package mutating func regenerate(clientSecret: Bool, anonymousKey: Bool) throws {
        if clientSecret { self.clientSecret = try MobileIdentifier.random() }
        if anonymousKey { anonymousPassword = try MobileIdentifier.random() }
    }
}

extension Realm {
    /// - Parameter existing: the realm of the same name, whose users keep their identifiers where the text does not say others; a new user
    ///   gets a new one.
    /// - Throws: `SeedError`, or an error of the identifiers' making.
    package init(reading text: [UInt8], keeping existing: (_ key: String) -> Realm?) throws {
        let seed = try SeedRealm(part: text)
        self = seed.realm
        let before = existing(key)
        for index in seed.unidentified {
            users[index].id = try before?.user(named: users[index].username)?.id ?? MobileIdentifier.random()
        }
    }
}

extension MobileUser {
    /// - Parameter realm: where the user has or will have the account; a user whose identifier the text does not say keeps it, and a new one
    ///   gets another than whoever had the name before.
    /// - Throws: `SeedError`, or an error of the identifier's making.
    package init(reading text: [UInt8], in realm: Realm) throws {
        self = try SeedMobileUser(part: text).user
        if let fault = realm.unknownProperty(of: self) {
            throw SeedError(file: "", place: "properties", expected: "properties of the realm, which \(fault) is not")
        }
        if id.isEmpty { id = try realm.user(named: username)?.id ?? MobileIdentifier.random() }
    }
}

extension CustomAPI {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedCustomAPI(part: text).api }
}

extension TokenCertificate {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedTokenCertificate(part: text).certificate }
}

extension SAMLTokenIssuer {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedSAMLTokenIssuer(part: text).issuer }
}

extension StorageCollection {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedStorageCollection(part: text).collection }
}

extension MobileTeamMember {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedMobileTeamMember(part: text).member }
}

extension MobileLocations {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedMobileLocations(part: text).locations }
}
