package import Directory

// Parts of the mobile cloud from an administrator's request that have identifiers or keys: one object each, as in seeds.

extension MobileBackend {
    /// Reads a backend. Keys that the text does not specify are kept from the existing backend, or generated for a new one.
    /// - Parameter existing: returns the backend with a ``MobileBackend/key``, if there is one.
    /// - Throws: `SeedError`, or an error of the random number generator.
    package init(reading text: [UInt8], keeping existing: (_ key: String) -> MobileBackend?) throws {
        self = try Self.record.read(text)
        try keepKeys(of: existing(key))
    }

    /// Generates new secrets for the backend.
    /// - Throws: an error of the random number generator.
    package mutating func regenerate(clientSecret: Bool, anonymousKey: Bool) throws {
        if clientSecret { self.clientSecret = try MobileIdentifier.random() }
        if anonymousKey { anonymousPassword = try MobileIdentifier.random() }
    }
}

extension Realm {
    /// Reads a realm. User IDs that the text does not specify are kept from the existing realm, or generated for new users.
    /// - Parameter existing: returns the realm with a ``Realm/key``, if there is one.
    /// - Throws: `SeedError`, or an error of the random number generator.
    package init(reading text: [UInt8], keeping existing: (_ key: String) -> Realm?) throws {
        self = try Self.record.read(text)
        let before = existing(key)
        for index in users.indices where users[index].id.isEmpty {
            users[index].id = try before?.user(named: users[index].username)?.id ?? MobileIdentifier.random()
        }
    }
}

extension MobileUser {
    /// Reads a user. If the text does not specify an ID, an existing user keeps it, and a new user gets a random one.
    /// - Parameter realm: the realm of the user.
    /// - Throws: `SeedError`, or an error of the random number generator.
    package init(reading text: [UInt8], in realm: Realm) throws {
        self = try Self.record.read(text)
        if let fault = realm.unknownProperty(of: self) {
            throw SeedError(file: "", place: "properties", expected: "only properties that the realm defines, without \(fault)")
        }
        if id.isEmpty { id = try realm.user(named: username)?.id ?? MobileIdentifier.random() }
    }
}
