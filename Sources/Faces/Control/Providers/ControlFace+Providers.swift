import Calls
import Cloud
import ControlDocuments
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension ControlFace {
    /// `/_virga/providers[/<name>[/people|/clients[/<id>]]]`: the identity providers, their people and their clients, in the format of
    /// seeds. GET reads, PUT creates or replaces, DELETE removes.
    func answerProviders(_ call: Call, path: String) async throws -> Response {
        // The path begins with `/providers`.
        let segments = path.split(separator: "/").dropFirst().map { percentDecoded($0) ?? "" }
        guard let name = segments.first else {
            let providers = call.cloud.directory.providers.values.sorted { $0.name < $1.name }
            return .json(Document<ProviderListMembers> { [$0.providers(providers.map { $0.summary(origin: call.origin) })] }.json)
        }
        guard segments.count > 1 else { return try await answerProvider(call, name) }
        let part = segments.count > 2 ? segments[2] : nil
        if segments[1] == "sessions" { return try await answerSessions(call, of: name, id: part) }
        guard segments[1] == "people" else { return try await answer(call, ProviderParts<Client>.clients, of: name, part) }
        return try await answer(call, ProviderParts<Person>.people, of: name, part)
    }

    private func answerProvider(_ call: Call, _ name: String) async throws -> Response {
        let cloud = call.cloud
        switch call.method {
        case .put:
            let text = try await call.collectBody(upTo: Self.bodyLimit)
            let added: IdentityProvider
            do { added = try IdentityProvider.record.read(text) } catch { throw ControlError(malformed: "provider", error) }
            guard added.name == name else { throw Self.otherName("provider", added.name, name) }
            try added.checkNames()
            let isNew = try await cloud.edit { directory in
                if let issuer = added.issuer, let other = directory.provider(canonicalIssuer: issuer), other.name != name {
                    throw Self.conflict("The provider '\(other.name)' has the issuer '\(issuer)' already.")
                }
                let isNew = directory.providers[name] == nil
                directory.put(.provider(added))
                return isNew
            }
            return .json(.object(try IdentityProvider.record.json(of: added)), status: isNew ? .created : .ok)
        case .delete:
            try await cloud.edit { directory in
                _ = try directory.provider(called: name)
                directory.remove(.init(.provider, name))
            }
            return .json(["status": "ok"])
        default: return .json(.object(try IdentityProvider.record.json(of: cloud.directory.provider(called: name))))
        }
    }

    private func answer<Part: RosterMember>(
        _ call: Call, _ parts: ProviderParts<Part>, of name: String, _ id: String?
    ) async throws -> Response {
        let cloud = call.cloud
        guard let id else {
            let provider = try cloud.directory.provider(called: name)
            return .json([parts.member: .array(try provider[keyPath: parts.path].map { .object(try parts.document($0)) })])
        }
        let unknown = ControlError(.notFound, "unknown_\(parts.kind)", "The provider has no \(parts.kind) '\(id)'.")
        switch call.method {
        case .put:
            let text = try await call.collectBody(upTo: Self.bodyLimit)
            let added: Part
            do { added = try parts.read(text) } catch { throw ControlError(malformed: parts.kind, error) }
            guard added.rosterName == id else { throw Self.otherName(parts.kind, added.rosterName, id) }
            let isNew = try await cloud.edit { directory in
                let provider = try directory.provider(called: name)
                try parts.check(added, provider)
                parts.put(added, name, &directory)
                return provider[keyPath: parts.path][id] == nil
            }
            return .json(.object(try parts.document(added)), status: isNew ? .created : .ok)
        case .delete:
            try await cloud.edit { directory in
                guard try directory.provider(called: name)[keyPath: parts.path][id] != nil else { throw unknown }
                parts.remove(id, name, &directory)
            }
            return .json(["status": "ok"])
        default:
            let provider = try cloud.directory.provider(called: name)
            guard let part = provider[keyPath: parts.path][id] else { throw unknown }
            return .json(.object(try parts.document(part)))
        }
    }

    private static func otherName(_ kind: String, _ inDocument: String, _ inPath: String) -> ControlError {
        ControlError(.badRequest, "malformed_\(kind)", "The document names '\(inDocument)', and the path names '\(inPath)'.")
    }

    static func conflict(_ message: String) -> ControlError { ControlError(.conflict, "conflict", message) }
}

/// A kind of parts of an identity provider, with the functions that read and write them.
private struct ProviderParts<Part: RosterMember>: Sendable {
    /// The member of the response that contains the list.
    var member: String
    /// The singular name, used in error codes.
    var kind: String
    var path: any WritableKeyPath<IdentityProvider, Roster<Part>> & Sendable
    /// Checks that a new part does not have what another one has.
    var check: @Sendable (Part, IdentityProvider) throws(ControlError) -> Void
    var put: @Sendable (Part, _ provider: String, inout Directory) -> Void
    var remove: @Sendable (_ name: String, _ provider: String, inout Directory) -> Void
    var read: @Sendable ([UInt8]) throws(SeedError) -> Part
    var document: @Sendable (Part) throws -> JSONObject
}

extension ProviderParts<Person> {
    static var people: Self {
        .init(
            member: "people", kind: "person", path: \.people,
            check: { person, provider throws(ControlError) in
                guard let other = provider.people.first(.subject(TextKey(person.subject))), other.name != person.name else { return }
                throw ControlFace.conflict("The provider would have several people with the subject '\(person.subject)'.")
            }, put: { $2.put($0, at: $1) }, remove: { $2.removePerson($0, at: $1) },
            read: { text throws(SeedError) in try Person.record.read(text) }, document: { try Person.record.json(of: $0) })
    }
}

extension ProviderParts<Client> {
    static var clients: Self {
        .init(
            member: "clients", kind: "client", path: \.clients,
            check: { client, provider throws(ControlError) in
                guard client.hasClaims, provider.kind.isSocial else { return }
                throw ControlError(
                    .badRequest, "malformed_client", "Expected no claims and attributes, since the tokens of \(provider.name) are fixed.")
            }, put: { $2.put($0, at: $1) },
            remove: { $2.removeClient($0, at: $1) },
            read: { text throws(SeedError) in try Client.record.read(text) }, document: { try Client.record.json(of: $0) })
    }
}

extension ControlError {
    fileprivate init(malformed kind: String, _ error: SeedError) {
        let place = error.place.isEmpty ? "" : " at \(error.place)"
        self.init(.badRequest, "malformed_\(kind)", "Expected\(place) \(error.expected).")
    }
}

extension Directory {
    /// Returns the provider with a name.
    func provider(called name: String) throws(ControlError) -> IdentityProvider {
        guard let provider = providers[name] else {
            throw ControlError(
                .notFound, "unknown_provider",
                "There is no provider '\(name)'; expected one of \(providers.keys.sorted().joined(separator: ", ")).")
        }
        return provider
    }
}

extension IdentityProvider {
    /// Rejects repeated names of people, subjects and client IDs.
    fileprivate func checkNames() throws(ControlError) {
        for (kind, names) in [
            ("people with the name", people.map(\.name)), ("people with the subject", people.map(\.subject)),
            ("clients with the ID", clients.map(\.id)),
        ] {
            var seen: Set<String> = []
            if let repeated = names.first(where: { !seen.insert($0).inserted }) {
                throw ControlFace.conflict("The provider would have several \(kind) '\(repeated)'.")
            }
        }
    }
}
