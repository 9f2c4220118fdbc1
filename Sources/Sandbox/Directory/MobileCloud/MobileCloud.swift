package import WireFormats

/// The part of the directory for the mobile cloud.
package struct MobileCloud: Sendable {
    /// The settings that all backends share.
    package private(set) var environment = MobileEnvironment()
    /// The backends, by ``MobileBackend/key``.
    package private(set) var backends: TextDictionary<MobileBackend> = [:]
    /// The realms, by ``Realm/key``.
    package private(set) var realms: TextDictionary<Realm> = [:]
    /// The custom APIs, by ``CustomAPI/key``.
    package private(set) var customAPIs: TextDictionary<CustomAPI> = [:]

    /// Returns the backend with a backend ID, without regard to case.
    package func backend(id: String) -> MobileBackend? { backends.values.first { $0.id.lowercased() == id.lowercased() } }

    /// Returns the backend with an OAuth client ID.
    package func backend(clientID: String) -> MobileBackend? { backends.values.first { $0.clientID == clientID } }

    /// Returns the versions of a custom API, the newest first.
    package func customAPIs(named name: String) -> [CustomAPI] {
        customAPIs.values.filter { $0.name == name }.sorted { $1.version.compareVersion(with: $0.version) }
    }

    mutating func insert(_ record: MobileCloudRecord) {
        switch record {
        case .environment(let environment): self.environment = environment
        case .backend(let backend): backends[backend.key] = backend
        case .realm(let realm): realms[realm.key] = realm
        case .customAPI(let api): customAPIs[api.key] = api
        }
    }

    mutating func forget(_ name: String) {
        switch MobileCloudRecord.Kind(name) {
        case .environment: environment = MobileEnvironment()
        case .backend(let key): backends[key] = nil
        case .realm(let key): realms[key] = nil
        case .customAPI(let key): customAPIs[key] = nil
        case nil: break
        }
    }
}

/// One record of the mobile cloud.
package enum MobileCloudRecord: Sendable, Codable {
    case environment(MobileEnvironment)
    case backend(MobileBackend)
    case realm(Realm)
    case customAPI(CustomAPI)

    /// The name of the record among those of the mobile cloud.
    package var name: String {
        switch self {
        case .environment: Kind.environment.name
        case .backend(let backend): Kind.backend(backend.key).name
        case .realm(let realm): Kind.realm(realm.key).name
        case .customAPI(let api): Kind.customAPI(api.key).name
        }
    }

    /// The kind of a record, with its key.
    package enum Kind: Sendable {
        case environment
        case backend(String)
        case realm(String)
        case customAPI(String)

        /// The name of the record.
        package var name: String {
            switch self {
            case .environment: "environment"
            case .backend(let key): "backend/\(key)"
            case .realm(let key): "realm/\(key)"
            case .customAPI(let key): "api/\(key)"
            }
        }

        init?(_ name: String) {
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count) {
            case ("environment", 1): self = .environment
            case ("backend", 2): self = .backend(parts[1])
            case ("realm", 2): self = .realm(parts[1])
            case ("api", 2): self = .customAPI(parts[1])
            default: return nil
            }
        }
    }
}

extension String {
    /// Returns whether a version such as `1.10` precedes another, compared number by number.
    fileprivate func compareVersion(with other: String) -> Bool {
        func numbers(_ text: String) -> [Int] { text.split(separator: ".").map { Int($0) ?? 0 } }
        return numbers(self).lexicographicallyPrecedes(numbers(other))
    }
}
