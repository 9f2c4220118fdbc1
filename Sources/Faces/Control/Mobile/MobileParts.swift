import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

/// A kind of named part of the mobile cloud, such as backends, with the functions that read and write it.
struct MobileParts<Part: Sendable>: Sendable {
    /// The member of the response that contains the list.
    var member: String
    /// The singular name, used in error codes.
    var kind: String
    var name: @Sendable (Part) -> String
    var json: @Sendable (Part) throws -> JSONObject
    /// - Parameter mobile: the mobile cloud before the change.
    var read: @Sendable (_ text: [UInt8], _ mobile: MobileCloud) throws -> Part
    var all: @Sendable (MobileCloud) -> [Part]
    var put: @Sendable (Part, inout Directory) -> Void
    var remove: @Sendable (_ name: String, inout Directory) -> Void
}

extension MobileParts<MobileBackend> {
    static var backends: MobileParts {
        MobileParts(
            member: "backends", kind: "backend", name: { $0.key }, json: { try MobileBackend.record.json(of: $0) },
            read: { text, mobile in try MobileBackend(reading: text) { mobile.backends[$0] } },
            all: { $0.backends.values.sorted { $0.key < $1.key } }, put: { $1.put(.mobile(.backend($0))) },
            remove: { $1.removeMobile(.backend($0)) })
    }

    /// Returns the same kind, with the environment URLs added to each backend. The URLs are ignored in documents that clients send.
    /// - Parameter base: the origin of this server, as the caller spells it.
    static func backends(at base: String) -> MobileParts {
        var parts = backends
        parts.json = { try $0.json(at: base) }
        parts.read = { text, mobile in
            guard var json = (try? JSONValue(parsing: text))?.objectValue else {
                return try MobileBackend(reading: text) { mobile.backends[$0] }
            }
            json["environmentURLs"] = nil
            return try MobileBackend(reading: JSONValue.object(json).serializedBytes()) { mobile.backends[$0] }
        }
        return parts
    }
}

extension MobileBackend {
    /// Returns the backend in the format of seeds, with `environmentURLs`.
    /// - Throws: an encoding error.
    func json(at base: String) throws -> JSONObject {
        var json = try MobileBackend.record.json(of: self)
        json["environmentURLs"] = EnvironmentURLs(self, base: base).json
        return json
    }
}

extension MobileParts<Realm> {
    static var realms: MobileParts {
        MobileParts(
            member: "realms", kind: "realm", name: { $0.key }, json: { try Realm.record.json(of: $0) },
            read: { text, mobile in try Realm(reading: text) { mobile.realms[$0] } },
            all: { $0.realms.values.sorted { $0.key < $1.key } }, put: { $1.put(.mobile(.realm($0))) },
            remove: { $1.removeMobile(.realm($0)) })
    }
}

extension MobileParts<CustomAPI> {
    static var customAPIs: MobileParts {
        MobileParts(
            member: "apis", kind: "api", name: { $0.key }, json: { try CustomAPI.record.json(of: $0) },
            read: { text, _ in try CustomAPI.record.read(text) },
            all: { $0.customAPIs.values.sorted { $0.key < $1.key } }, put: { $1.put(.mobile(.customAPI($0))) },
            remove: { $1.removeMobile(.customAPI($0)) })
    }
}

extension MobileParts<TokenCertificate> {
    static var certificates: MobileParts {
        listed(\.certificates, \.alias, member: "certificates", kind: "certificate", record: TokenCertificate.record)
    }
}

extension MobileParts<SAMLTokenIssuer> {
    static var samlIssuers: MobileParts {
        listed(\.samlIssuers, \.name, member: "samlIssuers", kind: "saml_issuer", record: SAMLTokenIssuer.record)
    }
}

extension MobileParts<StorageCollection> {
    static var collections: MobileParts {
        listed(\.collections, \.id, member: "collections", kind: "collection", record: StorageCollection.record)
    }
}

extension MobileParts<MobileTeamMember> {
    static var teamMembers: MobileParts {
        listed(\.teamMembers, \.name, member: "teamMembers", kind: "team_member", record: MobileTeamMember.record)
    }
}

extension MobileParts {
    /// Returns a kind whose parts are a list of the environment.
    fileprivate static func listed(
        _ list: any WritableKeyPath<MobileEnvironment, [Part]> & Sendable, _ name: any KeyPath<Part, String> & Sendable, member: String,
        kind: String,
        record: SeedRecord<Part>
    ) -> MobileParts {
        MobileParts(
            member: member, kind: kind, name: { $0[keyPath: name] }, json: { try record.json(of: $0) },
            read: { text, _ in try record.read(text) },
            all: { $0.environment[keyPath: list] },
            put: { part, directory in
                directory.editEnvironment { environment in
                    let place = environment[keyPath: list].firstIndex { $0[keyPath: name] == part[keyPath: name] }
                    if let place { environment[keyPath: list][place] = part } else { environment[keyPath: list].append(part) }
                }
            },
            remove: { removed, directory in
                directory.editEnvironment { $0[keyPath: list].removeAll { $0[keyPath: name] == removed } }
            })
    }
}

extension Directory {
    fileprivate mutating func removeMobile(_ kind: MobileCloudRecord.Kind) { remove(DirectoryRecord.ID(.mobile, kind.name)) }

    fileprivate mutating func editEnvironment(_ change: (inout MobileEnvironment) -> Void) {
        var environment = mobile.environment
        change(&environment)
        put(.mobile(.environment(environment)))
    }
}

extension MobileAdministration {
    /// Handles GET of the list and of one part, PUT of one, and DELETE of one.
    func answer<Part>(_ parts: MobileParts<Part>) async throws -> Response {
        switch (path.count, method) {
        case (1, .get): return .json([parts.member: .array(try parts.all(mobile).map { .object(try parts.json($0)) })])
        case (2, .get): return .json(.object(try parts.json(try part(parts, path[1], in: mobile))))
        case (2, .put): return try await put(parts, path[1], try await body())
        case (2, .delete):
            let name = path[1]
            try await edit { directory in
                _ = try self.part(parts, name, in: directory.mobile)
                parts.remove(name, &directory)
            }
            return .json(["status": "ok"])
        default: throw unknownPath
        }
    }

    private func put<Part>(_ parts: MobileParts<Part>, _ name: String, _ text: [UInt8]) async throws -> Response {
        let (part, isNew) = try await edit { directory -> (Part, Bool) in
            let part: Part
            do { part = try parts.read(text, directory.mobile) } catch { throw Self.malformed(error, parts.kind) }
            guard parts.name(part) == name else {
                throw ControlError(
                    .badRequest, "malformed_\(parts.kind)", "The document names '\(parts.name(part))', and the path names '\(name)'.")
            }
            let isNew = !parts.all(directory.mobile).contains { parts.name($0) == name }
            parts.put(part, &directory)
            return (part, isNew)
        }
        return .json(.object(try parts.json(part)), status: isNew ? .created : .ok)
    }

    /// - Throws: ``ControlError`` if the part does not exist.
    func part<Part>(_ parts: MobileParts<Part>, _ name: String, in mobile: MobileCloud) throws(ControlError) -> Part {
        guard let part = parts.all(mobile).first(where: { parts.name($0) == name }) else {
            throw ControlError(.notFound, "unknown_\(parts.kind)", "The mobile cloud has no '\(name)' among its \(parts.member).")
        }
        return part
    }
}
