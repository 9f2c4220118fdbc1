package import Directory
package import WireFormats

/// Converts single representations of Keycloak's Admin REST API, as clients send them, by the rules of ``RealmImport``.
package enum KeycloakRepresentation {
    /// Why a representation is not accepted.
    package enum Fault: Error {
        /// Parts of it have no place here.
        case leftOut([String])
        /// It is malformed.
        case malformed(String)
    }

    /// Returns the client of a ClientRepresentation.
    /// - Throws: `Fault`.
    package static func client(_ representation: JSONObject, realm: String) throws(Fault) -> Client {
        guard let id = representation["clientId"]?.stringValue, !id.isEmpty else { throw .malformed("clientId missing") }
        var reader = RealmReader(realm)
        if let type = representation["protocol"]?.stringValue, type != "openid-connect" { throw .leftOut(["protocol \(type)"]) }
        if representation["enabled"]?.boolValue == false { throw .leftOut(["enabled false"]) }
        let seeded = reader.client(representation, id, "client \(id)", [:])
        guard reader.leftOut.isEmpty else { throw .leftOut(reader.leftOut) }
        return try read(seeded, Client.record)
    }

    /// Returns the mapper of a ProtocolMapperRepresentation.
    /// - Throws: `Fault`.
    package static func mapper(_ representation: JSONObject) throws(Fault) -> KeycloakMapper {
        var reader = RealmReader("")
        let seeded = reader.mappers(of: ["protocolMappers": [.object(representation)]], "client", [:])
        guard let mapper = seeded.first?.objectValue else {
            throw .leftOut(reader.leftOut.isEmpty ? ["a mapper that every token has already"] : reader.leftOut)
        }
        return try read(mapper, KeycloakMapper.record)
    }

    /// Returns the person of a UserRepresentation.
    /// - Throws: `Fault`.
    package static func person(_ representation: JSONObject, realm: IdentityProvider) throws(Fault) -> Person {
        guard let name = representation["username"]?.stringValue, !name.isEmpty else { throw .malformed("User name is missing") }
        var reader = RealmReader(realm.name)
        reader.groupPaths = Set(realm.keycloakGroups.map { TextKey($0.path) })
        // Keycloak assigns no roles with a representation.
        var representation = representation
        for name in ["realmRoles", "clientRoles", "serviceAccountClientId"] { representation[name] = nil }
        guard let seeded = reader.convertedPeople(["users": [.object(representation)]]).first?.objectValue, reader.leftOut.isEmpty else {
            throw .leftOut(reader.leftOut)
        }
        return try read(seeded, Person.record)
    }

    /// Returns the issuer of a RealmRepresentation, and the parts of it that have no place here.
    /// - Throws: `Fault`.
    package static func realm(_ representation: JSONValue) throws(Fault) -> (realm: IdentityProvider, leftOut: [String]) {
        let imported: RealmImport
        do throws(RealmImport.Fault) { imported = try RealmImport(representation) } catch { throw .malformed(error.description) }
        guard let seeded = imported.seed["identityProviders"]?.arrayValue?.first?.objectValue else { throw .malformed("no realm") }
        return (try read(seeded, IdentityProvider.record), imported.leftOut)
    }

    /// The claims that follow from the members and attributes of a user.
    package static var claimsOfUsers: [String] { RealmReader.claimsOfUsers }

    private static func read<Value: Sendable>(_ seeded: JSONObject, _ record: SeedRecord<Value>) throws(Fault) -> Value {
        do throws(SeedError) {
            return try record.read(JSONValue.object(seeded).serializedBytes())
        } catch {
            throw .malformed("\(error.place.isEmpty ? "" : "\(error.place): ")expected \(error.expected)")
        }
    }
}
