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
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedRealm(part: text).realm }
}

extension MobileUser {
    /// - Parameter realm: where the user has or will have the account; a user whose identifier the text does not say keeps it.
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8], in realm: Realm) throws(SeedError) {
        self = try SeedMobileUser(part: text).user
        if let fault = realm.unknownProperty(of: self) {
            throw SeedError(file: "", place: "properties", expected: "properties of the realm, which \(fault) is not")
        }
        if id.isEmpty { id = realm.user(named: username)?.id ?? MobileIdentifier.of("user \(realm.key) \(username)") }
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

extension MobileLocations {
    /// - Throws: `SeedError`.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedMobileLocations(part: text).locations }
}
