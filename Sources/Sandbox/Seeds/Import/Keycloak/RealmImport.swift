import Directory
package import WireFormats

/// Creates a seed from realms of Keycloak, given the output of `kc.sh export` or a file for `--import-realm`.
///
/// (Keycloak, "Importing and exporting realms"; the members are those of RealmRepresentation in its Admin REST API.)
package struct RealmImport {
    /// The seed.
    package private(set) var seed: JSONValue = .null
    /// The parts of the realms that the seed does not contain, one line for each.
    package private(set) var leftOut: [String] = []

    /// An error: the document is not a realm of Keycloak.
    package struct Fault: Error, CustomStringConvertible {
        /// The member of the document; empty for the whole document.
        var place: String
        /// What is expected there.
        var expected: String

        package var description: String { (place.isEmpty ? "" : "\(place): ") + "expected \(expected)" }
    }

    /// Returns whether a document is a realm, or a list of realms, and not a seed.
    package static func isRealm(_ document: JSONValue) -> Bool {
        switch document {
        case .array(let realms): !realms.isEmpty && realms.allSatisfy { $0.objectValue != nil && isRealm($0) }
        case .object(let realm):
            // Both have identity providers: those of a realm are others that it trusts.
            realm["realm"]?.stringValue != nil
                && !Seed.record.fields.contains { $0.name != "identityProviders" && realm[$0.name] != nil }
        default: false
        }
    }

    /// - Parameter document: a realm, or a list of realms.
    /// - Throws: `Fault`.
    package init(_ document: JSONValue) throws(Fault) {
        let realms = document.arrayValue ?? [document]
        guard Self.isRealm(document) else {
            throw Fault(place: "", expected: "an object with the name of a realm in 'realm', as 'kc.sh export' writes it")
        }
        var providers: [JSONValue] = []
        for realm in realms {
            guard let members = realm.objectValue else { continue }
            var reader = RealmReader(try Self.name(of: members))
            providers.append(.object(reader.provider(members)))
            leftOut += realms.count > 1 ? reader.leftOut.map { "realm \(reader.name): \($0)" } : reader.leftOut
        }
        seed = ["identityProviders": .array(providers)]
    }

    /// Reads a realm from the text of a document.
    /// - Returns: `nil` if the document is not a realm, as every seed.
    /// - Throws: `Fault`.
    static func read(_ text: [UInt8]) throws(Fault) -> RealmImport? {
        // Most seeds need not be parsed for this.
        guard text.contains(bytesOf: "\"realm\""), let document = try? JSONValue(parsing: text), isRealm(document) else {
            return nil
        }
        return try RealmImport(document)
    }

    private static func name(of realm: JSONObject) throws(Fault) -> String {
        let name = realm["realm"]?.stringValue ?? ""
        let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        guard !name.contains("${") else {
            throw Fault(place: "realm", expected: "a name, not '\(name)'; Virga does not fill in environment variables")
        }
        guard isName else { throw Fault(place: "realm", expected: "a name of letters, digits and -._, not '\(name)'") }
        guard IdentityProvider.Kind(rawValue: name) ?? .openIDConnect == .openIDConnect else {
            throw Fault(place: "realm", expected: "another name than '\(name)', which is that of a social provider")
        }
        return name
    }
}

/// Reads one realm.
struct RealmReader {
    let name: String
    var leftOut: [String] = []
    /// The paths of the groups.
    var groupPaths: Set<TextKey> = []
    /// The roles that exist, with those that every realm has.
    var knownRoles: Set<KeycloakRoleName> = []
    /// The client scopes by name, with their mappers.
    var scopes: TextDictionary<JSONObject> = [:]
    /// The accounts of service accounts, by client.
    var serviceAccounts: TextDictionary<JSONObject> = [:]

    init(_ name: String) {
        self.name = name
        knownRoles = Set(KeycloakRealm.builtInRoles(of: name).map(\.name))
    }

    /// Converts the realm to an identity provider.
    mutating func provider(_ realm: JSONObject) -> JSONObject {
        var provider: JSONObject = ["name": .string(name), "issuer": .string(issuer(realm))]
        if let seconds = realm["accessTokenLifespan"]?.integerValue, seconds > 0 { provider["tokenLifetime"] = .integer(seconds) }
        if let algorithm = realm["defaultSignatureAlgorithm"]?.stringValue {
            if ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"].contains(algorithm) {
                if algorithm != "RS256" { provider["signingAlgorithm"] = .string(algorithm) }
            } else {
                lose("defaultSignatureAlgorithm \(algorithm)")
            }
        }
        for name in ["registrationAllowed", "revokeRefreshToken"] where realm[name]?.boolValue == true {
            if IdentityProvider.record.has(name) { provider[name] = true } else { lose(name) }
        }
        readNames(realm)
        var keycloak = JSONObject()
        let roles = convertedRoles(realm)
        if !roles.isEmpty { keycloak["roles"] = .array(roles) }
        let groups = convertedGroups(realm["groups"], below: "")
        if !groups.isEmpty { keycloak["groups"] = .array(groups) }
        if !keycloak.isEmpty { provider["keycloak"] = .object(keycloak) }
        // Before the clients, some of which have a service account.
        let people = convertedPeople(realm)
        readScopes(realm)
        provider["clients"] = .array(convertedClients(realm))
        if !people.isEmpty { provider["people"] = .array(people) }
        reportRest(of: realm)
        return provider
    }

    /// Reports a part that the seed does not contain.
    mutating func lose(_ part: String) { leftOut.append(part) }

    private func issuer(_ realm: JSONObject) -> String {
        let frontend = realm["attributes"]?["frontendUrl"]?.stringValue ?? ""
        let isUsable = frontend.hasPrefix("https://") && !frontend.contains { "?# ".contains($0) }
        let base = isUsable ? frontend : "https://keycloak.localhost"
        return "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/realms/\(name)"
    }

    /// Returns the objects of a list.
    static func objects(_ value: JSONValue?) -> [JSONObject] { value?.arrayValue?.compactMap(\.objectValue) ?? [] }

    /// Returns the texts of a list.
    static func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// Returns the attributes of an object: name to a list of texts. Old exports have a text instead of a list.
    static func attributes(_ value: JSONValue?) -> JSONObject {
        var attributes = JSONObject()
        for (name, value) in value?.objectValue?.members ?? [] {
            switch value {
            case .array: attributes[name] = value
            case .string: attributes[name] = .array([value])
            default: continue
            }
        }
        return attributes
    }
}
