import Calls
import WireFormats

/// *Get a token*: does what people did by hand in a private window or in Facebook's tool.
struct TesterTokenSource {
    let site: MobileSite
    let backend: JSONObject
    private var method = AuthenticationMethod.sso

    init(site: MobileSite, backend: JSONObject) { (self.site, self.backend) = (site, backend) }

    init(site: MobileSite, _ choice: TestChoice) {
        self.init(site: site, backend: choice.backend ?? [:])
        method = choice.method
    }

    /// Fills the field of the token.
    /// - Throws: ``FormRefusal`` if there is no token.
    func fill(_ test: inout APITest) async throws {
        if let obstacle = method.obstacle(backend) { throw FormRefusal("method", obstacle) }
        let person = test.fields.first("person") ?? ""
        let token: String
        if method == .facebook {
            token = try await facebookToken(person)
        } else {
            var walk = BrowserLogin(sender: site.sender, origins: [site.visit.place.services, site.visit.place.origin], person: person)
            let target = "/mobile/platform/sso/token?clientID=\(percentEncoded(backend.string("clientID")))&format=json"
            defer { test.preparation = walk.exchanges }
            do {
                token = try await walk.token(from: target)
            } catch let refusal as FormRefusal {
                throw await explained(refusal)
            }
        }
        test.fields.fields.removeAll { $0.name == "token" }
        test.fields.fields.append(.init(name: "token", value: token))
    }

    /// Says what to register if the identity provider does not know the mobile cloud at this address.
    private func explained(_ refusal: FormRefusal) async -> FormRefusal {
        guard refusal.faults.contains(where: { $0.text.contains("not a service provider that is registered here") }),
            let name = await provider(for: .sso)?["name"]?.stringValue
        else { return refusal }
        let entityID = "\(site.visit.place.services)/mobile/platform/sso/exchange-token"
        let fault = FormRefusal.Fault(
            place: "token",
            text:
                "The identity provider \(name) does not know this address. Register \(entityID) in Identity, \(name), SAML service providers.",
            page: ("Open \(name) in Identity", IdentityScene.path("providers", name)))
        return FormRefusal(code: "unknown_service_provider", faults: [fault])
    }

    private func facebookToken(_ person: String) async throws -> String {
        let name = await provider(for: .facebook)?["name"]?.stringValue ?? ""
        let answer = await site.visit.client.post(
            "/tokens",
            ["provider": .string(name), "user": .string(person), "client": backend["facebook"]?["appID"] ?? ""])
        if let refusal = answer.refusal { throw FormRefusal("token", refusal.message) }
        return answer.issued ?? ""
    }

    /// Returns the identity provider of this cloud at which users log in; `nil` if it is elsewhere.
    func provider(for method: AuthenticationMethod) async -> JSONValue? {
        let providers = await site.providers()
        if method == .facebook {
            let app = backend["facebook"]?["appID"]?.stringValue
            return providers.first { provider in
                provider["kind"]?.stringValue == "facebook"
                    && provider["clients"]?.arrayValue?.contains { $0["id"]?.stringValue == app } ?? false
            }
        }
        let realm = (try? await site.part("realms", backend.string("realm"))) ?? [:]
        if let name = realm["signOn"]?["saml"]?["identityProvider"]?.stringValue {
            return providers.first { $0["name"]?.stringValue == name }
        }
        guard let issuer = realm["signOn"]?["openIDConnect"]?["issuer"]?.stringValue else { return nil }
        return providers.first { provider in ["issuer", "canonical_issuer", "url"].contains { provider[$0]?.stringValue == issuer } }
    }
}
