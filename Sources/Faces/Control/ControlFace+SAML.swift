import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Seeds
import Tokens
import WireFormats

extension ControlFace {
    /// `/_virga/providers/<name>/service-providers`: GET lists them. PUT registers one or replaces the one with the same entity ID; the
    /// body is XML metadata or an object as in seeds. DELETE with `?entityID=…` removes it.
    func answerServiceProviders(_ call: Call, path: String) async throws -> Response {
        let name = percentDecoded(path.dropFirst("/providers/".count).dropLast("/service-providers".count)) ?? ""
        let cloud = call.cloud
        func saml(in directory: Directory) throws(ControlError) -> (IdentityProvider, SAMLIdentityProvider) {
            guard let provider = directory.providers[name], let settings = provider.saml else {
                throw ControlError(.notFound, "unknown_provider", "There is no SAML identity provider '\(name)'.")
            }
            return (provider, settings)
        }
        switch call.method {
        case .put:
            let text = try await call.collectBody(upTo: Self.metadataLimit)
            let added: ServiceProvider
            do {
                added = try ServiceProvider(reading: text, now: call.received)
            } catch {
                let place = error.place.isEmpty ? "" : " at \(error.place)"
                throw ControlError(.badRequest, "malformed_service_provider", "Expected\(place) \(error.expected).")
            }
            let isNew = try await cloud.edit { directory in
                var (provider, settings) = try saml(in: directory)
                let place = settings.serviceProviders.firstIndex { $0.entityID == added.entityID }
                if let place { settings.serviceProviders[place] = added } else { settings.serviceProviders.append(added) }
                provider.saml = settings
                directory.put(.provider(provider))
                return place == nil
            }
            return .json(.object(try ServiceProvider.record.json(of: added)), status: isNew ? .created : .ok)
        case .delete:
            guard let entityID = call.queryFields?["entityID"] else {
                throw ControlError(.badRequest, "missing_member", "Say which: ?entityID=…")
            }
            try await cloud.edit { directory in
                var (provider, settings) = try saml(in: directory)
                guard let place = settings.serviceProviders.firstIndex(where: { $0.entityID == entityID }) else {
                    throw ControlError(.notFound, "unknown_service_provider", "The provider has no service provider '\(entityID)'.")
                }
                settings.serviceProviders.remove(at: place)
                provider.saml = settings
                directory.put(.provider(provider))
            }
            return .json(["status": "ok"])
        default:
            let registered = try saml(in: cloud.directory).1.serviceProviders
            return .json(["serviceProviders": .array(try registered.map { .object(try ServiceProvider.record.json(of: $0)) })])
        }
    }

    /// The longest metadata in bytes; certificates and logos make it large.
    private static let metadataLimit = 1 << 20

    /// `POST /_virga/tokens` with `serviceProvider`, `provider` and `user`: returns what a browser would post to the service provider after
    /// this user's login. `claims` override the user's claims, `attributes` override those of the assertion, `lifetime` is in seconds, and
    /// `fault` introduces one defect.
    func issueAssertion(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["provider", "user", "serviceProvider", "claims", "attributes", "lifetime", "fault"])
        guard let provider = try body.text("provider"), let user = try body.text("user"),
            let serviceProvider = try body.text("serviceProvider")
        else {
            throw ControlError(
                .badRequest, "missing_member",
                "Send {\"provider\":\"company\",\"user\":\"alice\",\"serviceProvider\":\"urn:amazon:webservices\"}.")
        }
        guard let claims = body["claims", default: [:]].objectValue else {
            throw ControlError(.badRequest, "malformed_member", "'claims' must be an object.")
        }
        var lifetime: Int?
        if let value = body["lifetime"] {
            guard let seconds = value.integerValue.flatMap({ Int(exactly: $0) }) else {
                throw ControlError(.badRequest, "malformed_member", "'lifetime' must be a whole number of seconds.")
            }
            lifetime = seconds
        }
        var defect: AssertionDefect?
        if let name = try body.text("fault") {
            guard let known = AssertionDefect(rawValue: name) else {
                let names = AssertionDefect.allCases.map(\.rawValue).joined(separator: ", ")
                throw ControlError(.badRequest, "malformed_member", "'fault' must be one of \(names).")
            }
            defect = known
        }
        do {
            let minted = try await TokenMint(cloud: call.cloud).assertion(
                provider: provider, user: user, serviceProvider: serviceProvider, claims: claims, attributes: try body.attributes(),
                lifetime: lifetime, defect: defect, origin: call.origin)
            let (message, query): (String, String?) =
                switch minted.transport {
                case .form(let message): (message, nil)
                case .query(let query): (FormFields(parsing: query)?["SAMLResponse"] ?? "", query)
                }
            return .json(
                Document<IssuedAssertionMembers> {
                    [
                        $0.subject(minted.subject), $0.serviceProvider(minted.serviceProvider.entityID), $0.consumer(minted.recipient),
                        $0.lifetime(minted.expiresIn), $0.response(message), $0.query(query),
                    ]
                }.json)
        } catch let error as MintingError {
            if case .unknownClient(let entityID) = error {
                throw ControlError(.notFound, "unknown_service_provider", "The provider has no service provider '\(entityID)'.")
            }
            throw ControlError(error, provider: provider, cloud: call.cloud)
        } catch let status as SAMLStatus {
            let isAttribute = status.detail == .invalidAttrNameOrValue
            throw ControlError(.badRequest, isAttribute ? "malformed_member" : "name_not_possible", status.message ?? status.name)
        }
    }
}

extension JSONObject {
    fileprivate subscript(name: String, default fallback: JSONValue) -> JSONValue { self[name] ?? fallback }

    /// Returns attributes by name. Each value is a string or a list of strings.
    fileprivate func attributes() throws(ControlError) -> [(name: String, values: [String])] {
        let malformed = ControlError(
            .badRequest, "malformed_member", "'attributes' must be an object of names, each with a string or a list of strings.")
        guard let members = self["attributes", default: [:]].objectValue?.members else { throw malformed }
        var attributes: [(name: String, values: [String])] = []
        for (name, value) in members {
            if let text = value.stringValue {
                attributes.append((name, [text]))
                continue
            }
            guard let values = value.arrayValue, case let texts = values.compactMap(\.stringValue), texts.count == values.count else {
                throw malformed
            }
            attributes.append((name, texts))
        }
        return attributes
    }
}
