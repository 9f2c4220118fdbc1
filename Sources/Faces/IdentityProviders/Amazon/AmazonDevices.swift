import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Code pairs for devices without a browser. (Login with Amazon Developer Guide, "Code-Based Linking for TVs and Other Devices".)
struct AmazonDevices {
    let visit: Visit

    private static let form = DeviceGrant.Form(
        lifetime: 600, interval: 30, userCodeLength: 6, alphabet: DeviceGrant.Form.consonants + "23456789")

    /// The path of the page where users enter the code, on `amazon.com`.
    static let path = "/us/code"

    func create() async throws -> Response {
        try await visit.enter("CreateCodePair")
        let form = try await visit.form()
        if let name = form.repeatedName { throw OAuthError(.invalidRequest, "The request has a repeated parameter : \(name)") }
        for name in ["response_type", "client_id", "scope"] where form.value(name) == nil {
            throw OAuthError(.invalidRequest, "The request is missing a required parameter : \(name)")
        }
        guard form.value("response_type") == "device_code" else {
            throw OAuthError(.invalidRequest, "The request has an invalid parameter : response_type")
        }
        // Devices cannot keep a secret, and Amazon requires none.
        let unknownClient = OAuthError(.invalidClient, "The client identifier is invalid", status: .badRequest)
        guard let client = visit.provider.client(form.value("client_id") ?? "") else { throw unknownClient }
        let scopes = (form.value("scope") ?? "").split(separator: " ").map(String.init)
        guard !scopes.isEmpty, scopes.allSatisfy(AmazonAuthorizeEndpoint.scopes.contains) else {
            throw OAuthError(.invalidScope, "An unknown scope was requested")
        }
        let deviceCode = try OpaqueToken.unguessable()
        let userCode = try await visit.refusing(unknownClient: unknownClient, unknownPerson: .revokedGrant) {
            try await DeviceGrant(visit: visit).begin(for: client, scopes: scopes, as: Self.form, deviceCode: deviceCode)
        }
        let base = visit.basePath.isEmpty ? "https://amazon.com" : visit.baseURL
        let body: JSONValue = [
            "user_code": .string(userCode), "device_code": .string(deviceCode), "interval": .integer(Self.form.interval),
            "verification_uri": .string(base + Self.path), "expires_in": .integer(Int64(Self.form.lifetime)),
        ]
        return Response(status: .ok, contentType: AmazonFace.contentType, headers: .unstored, text: body.serialized())
    }

    static let invalidPair = OAuthError(.invalidCodePair, "The request has an invalid device_code and user_code pair")

    /// Returns the user's approval for a device that presents both codes.
    func redeem(_ form: FormFields) async throws -> Approval {
        for name in ["device_code", "user_code"] where form.value(name) == nil {
            throw OAuthError(.invalidRequest, "The request is missing a required parameter : \(name)")
        }
        let grant: Grant
        do {
            let devices = DeviceGrant(visit: visit)
            // If the request has no client_id, the code pair identifies the client.
            let code = form.value("device_code") ?? ""
            guard let known = try visit.cloud.grants.look(up: code, kind: .deviceCode, at: visit.provider.name),
                let client = visit.provider.client(known.client), form.value("client_id").map({ $0 == client.id }) ?? true
            else { throw Self.invalidPair }
            grant = try await devices.redeem(code, userCode: form.value("user_code"), by: client.id)
        } catch let fault as DeviceGrant.Fault {
            switch fault {
            case .unknown: throw Self.invalidPair
            case .expired: throw OAuthError(.expiredToken, "The code pair has expired")
            case .pending: throw OAuthError(.authorizationPending, "Authorization pending")
            case .slowDown: throw OAuthError(.slowDown, "Polling too frequently")
            case .denied: throw OAuthError(.accessDenied, "Access not permitted.")
            }
        }
        guard let approval = Approval(grant, at: visit.provider) else { throw Self.invalidPair }
        return approval
    }
}
