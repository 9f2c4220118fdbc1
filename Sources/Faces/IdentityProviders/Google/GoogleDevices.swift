import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Devices with limited input. (Google Identity, "OAuth 2.0 for TV and Limited-Input Device Applications".)
struct GoogleDevices {
    let visit: Visit

    private static let form = DeviceGrant.Form(
        lifetime: 1800, interval: 5, userCodeLength: 8, alphabet: DeviceGrant.Form.consonants, isHyphenated: true)

    /// The path of the page where users enter the code, on `www.google.com`.
    static let path = "/device"

    /// The grant type, and its name before RFC 8628.
    static let grantTypes = ["urn:ietf:params:oauth:grant-type:device_code", "http://oauth.net/grant_type/device/1.0"]

    func begin() async throws -> Response {
        try await visit.enter("DeviceCode")
        let form = try await visit.form()
        if let name = form.repeatedName { throw GoogleTokenEndpoint.repeated(name) }
        guard let identifier = form.value("client_id") else { throw OAuthError(.invalidRequest, "Missing required parameter: client_id") }
        guard let client = visit.provider.client(identifier) else {
            throw GoogleTokenEndpoint.unknownClient
        }
        let scopes = try (form.value("scope") ?? "").split(separator: " ").map { scope in
            guard let name = GoogleScope.normalized(String(scope)) else {
                throw OAuthError(.invalidScope, "Invalid device flow scope: \(scope)")
            }
            return name
        }
        if scopes.isEmpty { throw OAuthError(.invalidRequest, "Missing required parameter: scope") }
        let deviceCode = "AH-1Ng" + (try OpaqueToken.unguessable())
        let userCode = try await visit.refusing(unknownClient: GoogleTokenEndpoint.unknownClient, unknownPerson: .revokedGrant) {
            try await DeviceGrant(visit: visit).begin(for: client, scopes: scopes, as: Self.form, deviceCode: deviceCode)
        }
        let base = visit.basePath.isEmpty ? "https://www.google.com" : visit.baseURL
        return .json(
            [
                "device_code": .string(deviceCode), "user_code": .string(userCode),
                "expires_in": .integer(Int64(Self.form.lifetime)), "interval": .integer(Self.form.interval),
                // Google's own name for the verification_uri of RFC 8628.
                "verification_url": .string(base + Self.path),
            ], headers: .unstored)
    }

    /// Returns the user's approval.
    func redeem(_ form: FormFields, by client: Client) async throws -> Approval {
        // Before RFC 8628 the parameter had the name of authorization codes.
        guard let code = form.value("device_code") ?? form.value("code") else {
            throw OAuthError(.invalidRequest, "Missing required parameter: device_code")
        }
        let grant: Grant
        do {
            grant = try await DeviceGrant(visit: visit).redeem(code, by: client.id)
        } catch let fault as DeviceGrant.Fault {
            switch fault {
            case .unknown: throw OAuthError(.invalidGrant, "Malformed device code.")
            case .expired: throw OAuthError(.expiredToken, "The device code has expired.")
            case .pending: throw OAuthError(.authorizationPending, "Precondition Required", status: .preconditionRequired)
            case .slowDown: throw OAuthError(.slowDown, "Rate Limit Exceeded", status: .forbidden)
            case .denied: throw OAuthError(.accessDenied, "Forbidden", status: .forbidden)
            }
        }
        guard let approval = Approval(grant, at: visit.provider) else { throw GoogleTokenEndpoint.unknownPerson }
        return approval
    }
}
