import Calls
import Cryptography
import WireFormats

/// A mobile backend with its keys, as the control API describes it, and the users who can log in to it.
struct MobileBackendSettings: Sendable {
    /// The document of the backend.
    let json: JSONValue
    var users: [(name: String, password: String)] = []
    /// The custom APIs that the backend offers.
    var apis: [API] = []
    /// The SAML identity provider and the JWT issuer of the company, by its name in Virga.
    var company: String?
    /// The audience of JWTs that the relay accepts.
    var audience = ""

    /// A custom API that can be read with GET.
    struct API: Sendable, Equatable {
        var name: String
        /// `open`, `enterprise` or `social`.
        var access: String
        var path: String
        /// Whether only some roles may call it.
        var hasRoles = false
    }

    var name: String { json["name"]?.stringValue ?? "" }
    var version: String { json["version"]?.stringValue ?? "1.0" }
    /// The name in paths of the control API.
    var key: String { "\(name)(\(version))" }
    var id: String { json["id"]?.stringValue ?? "" }
    var clientID: String { json["clientID"]?.stringValue ?? "" }
    var clientSecret: String { json["clientSecret"]?.stringValue ?? "" }
    var anonymousKey: String { json["anonymousKey"]?.stringValue ?? "" }
    var allowsBasic: Bool { json["basic"]?.boolValue ?? true }
    var allowsOAuth: Bool { json["oauth"]?.boolValue ?? true }
    var allowsSSO: Bool { json["sso"]?.boolValue ?? false }
    var facebookApp: String? { json["facebook"]?["appID"]?.stringValue }

    /// Returns why a method does not work at this backend, and what to change in its settings; `nil` if it is switched on.
    func obstacle(to method: MobileMethod) -> String? {
        if facebookApp != nil, method != .facebook {
            return "Social Login with Facebook is on, so the backend accepts no other login. Switch Facebook off."
        }
        switch method {
        case .basic where !allowsBasic: return "HTTP Basic is off. Switch HTTP Basic on."
        case .saml where !allowsBasic: return "The exchange of SAML assertions needs HTTP Basic. Switch HTTP Basic on."
        case .oauth where !allowsOAuth: return "OAuth Consumer is off. Switch OAuth Consumer on."
        case .jwt where !allowsOAuth || !allowsBasic:
            return "The exchange of JWTs needs HTTP Basic and OAuth Consumer. Switch both on."
        case .sso where !allowsOAuth || !allowsSSO:
            return "Single sign-on needs OAuth Consumer and Enable Single Sign-On. Switch both on."
        case .facebook where facebookApp == nil:
            return "Social Login is off. Switch HTTP Basic and Facebook on."
        case .facebook where !allowsBasic: return "Facebook login needs HTTP Basic. Switch HTTP Basic on."
        case .saml where company == nil, .jwt where company == nil:
            return "No identity provider of this server is registered as a token issuer. Add it in Keys & Certificates."
        default: return nil
        }
    }

    /// Returns the backends of the mobile cloud; none if the seed has no mobile cloud.
    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    static func all(_ client: ControlClient) async throws -> [MobileBackendSettings] {
        let answer = await client.get("/mobile/backends")
        if answer.status == 404 { return [] }
        if let refusal = answer.refusal { throw refusal }
        let backends = answer.json["backends"]?.arrayValue ?? []
        guard !backends.isEmpty else { return [] }
        let seed = await client.get("/seed").json
        let cloud = seed["mobileCloud"] ?? .null
        let providers = seed["identityProviders"]?.arrayValue ?? []
        let apis = (await client.get("/mobile/apis").json["apis"]?.arrayValue ?? []).flatMap { api -> [API] in
            (api["endpoints"]?.arrayValue ?? []).prefix(4).compactMap { endpoint -> API? in
                guard ["GET", nil].contains(endpoint["method"]?.stringValue), let name = api["name"]?.stringValue,
                    let path = endpoint["path"]?.stringValue, !path.contains("{"), !path.contains("*")
                else { return nil }
                let hasRoles = [api["roles"], endpoint["roles"]].contains { $0?.arrayValue?.isEmpty == false }
                return API(
                    name: name, access: api["access"]?.stringValue ?? "enterprise", path: "/mobile/custom/\(name)\(path)",
                    hasRoles: hasRoles)
            }
        }
        let company = cloud["certificates"]?.arrayValue?.compactMap { $0["identityProvider"]?.stringValue }.first
        return backends.map { json in
            var backend = MobileBackendSettings(json: json)
            let realm = json["realm"]?.stringValue ?? ""
            let users =
                (cloud["realms"]?.arrayValue ?? []).first { candidate in
                    "\(candidate["name"]?.stringValue ?? "")(\(candidate["version"]?.stringValue ?? "1.0"))" == realm
                }?["users"]?.arrayValue ?? []
            backend.users = users.compactMap { user in
                guard let name = user["username"]?.stringValue, let password = user["password"]?.stringValue else { return nil }
                return (name, password)
            }
            let offered = json["apis"]?.arrayValue?.compactMap(\.stringValue)
            backend.apis = apis.filter { api in
                json["apis"]?.stringValue == "all" || offered?.contains { $0 == api.name || $0.hasPrefix("\(api.name)(") } == true
            }
            backend.company = company
            let client = providers.first { $0["name"]?.stringValue == company }?["clients"]?.arrayValue?.first
            backend.audience = client?["id"]?.stringValue ?? ""
            return backend
        }
    }
}

/// The methods of authentication of a mobile backend.
enum MobileMethod: String, CaseIterable, Sendable {
    case basic, oauth, saml, jwt, sso, facebook

    var title: String {
        switch self {
        case .basic: "HTTP Basic"
        case .oauth: "OAuth Consumer"
        case .saml: "SAML token exchange"
        case .jwt: "JWT token exchange"
        case .sso: "Single sign-on in the browser"
        case .facebook: "Facebook"
        }
    }

    var explanation: String {
        switch self {
        case .basic: "Each request has the user's name and password, and names the backend in a header."
        case .oauth: "The app sends the name and password once, with its own client ID and secret, and gets a token."
        case .saml: "The app takes the assertion out of the response, compresses it, and exchanges it for a token."
        case .jwt: "The app exchanges an ID token of the company for a token of the mobile cloud."
        case .sso: "A page of the mobile cloud sends the browser to the company's login, and shows a token."
        case .facebook: "Each request has Facebook's access token in a header, and the anonymous key of the backend."
        }
    }
}
