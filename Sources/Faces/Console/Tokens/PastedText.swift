import ControlDocuments
import WireFormats

/// A text that was pasted into the token debugger, or made there. It never gets into a URL or the journal.
struct PastedText: KeptInMemory {
    let id: String
    let generation: Int64
    let created: Timestamp
    var text: String
    /// The values that the application expects, by their names in `POST /_virga/inspect`.
    var expected: [String: String] = [:]
    /// How the text was made; `nil` for a pasted one.
    var order: TokenRequest?
    /// What differs from a good text that was issued at the same time; `nil` if none could be issued.
    var differences: [TokenDifference]?
    /// The call of STS that exchanged the text.
    var exchange: Exchange?

    var size: Int { text.utf8.count }

    /// The longest accepted text, in bytes.
    static let longest = 256 << 10
}

/// A token or SAML response to make with `POST /_virga/tokens`.
struct TokenRequest: Sendable, Equatable {
    var provider: String
    var person: String
    /// The client ID; `nil` for the provider's first one.
    var client: String?
    /// The kind, as in the control API; `nil` for what the provider usually issues.
    var type: String?
    /// Whether an access token is a JWT.
    var isSigned = false
    /// The entity ID of the service provider, for a SAML response.
    var serviceProvider: String?
    var nonce: String?
    var lifetime: Int64?
    /// Claims that replace or extend those of the person.
    var claims: JSONObject = [:]
    /// What is wrong; `nil` for a good one.
    var fault: String?

    /// The body of the control call.
    var json: JSONValue {
        var json: JSONObject = ["provider": .string(provider), "user": .string(person)]
        json["serviceProvider"] = serviceProvider.map(JSONValue.string)
        if serviceProvider == nil {
            json["client"] = client.map(JSONValue.string)
            json["type"] = type.map(JSONValue.string)
            if isSigned { json["format"] = "jwt" }
            json["nonce"] = nonce.map(JSONValue.string)
        }
        json["lifetime"] = lifetime.map(JSONValue.integer)
        if !claims.isEmpty { json["claims"] = .object(claims) }
        json["fault"] = fault.map(JSONValue.string)
        return .object(json)
    }

    /// The same without the fault.
    var good: TokenRequest {
        var good = self
        good.fault = nil
        return good
    }

    /// Finds out how to make the text that was inspected; `nil` if it is no token of a person of this sandbox.
    init?(of inspection: Document<InspectionMembers>) {
        let (decoded, subject) = (inspection.decoded, inspection.subject)
        guard let provider = subject["provider"]?.stringValue else { return nil }
        switch inspection.kind {
        case "jwt":
            guard let person = subject["person"]?.stringValue else { return nil }
            self.init(provider: provider, person: person)
            let claims = decoded["claims"] ?? .null
            let isAccessToken = decoded["header"]?["typ"]?.stringValue == "at+jwt" || claims["typ"]?.stringValue == "Bearer"
            type = isAccessToken ? "access_token" : "id_token"
            isSigned = claims["typ"]?.stringValue == "Bearer"
            client = (claims["azp"] ?? claims["client_id"])?.stringValue ?? claims["aud"]?.stringValue
        case "opaque_token", "authorization_code":
            guard let person = subject["person"]?.stringValue, let name = decoded["type"]?.stringValue else { return nil }
            self.init(provider: provider, person: person)
            type = ["access token": "access_token", "refresh token": "refresh_token", "authorization code": "code"][name]
            client = decoded["client"]?.stringValue
        default: return nil
        }
    }

    init(provider: String, person: String) { (self.provider, self.person) = (provider, person) }
}
