import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/device/login` and `/device/login_status`, for apps on devices such as televisions. (Meta for Developers, "Facebook Login for Devices";
/// texts from memory.)
struct FacebookDevices {
    let request: GraphRequest

    private static let form = DeviceGrant.Form(
        lifetime: 420, interval: 5, userCodeLength: 8, alphabet: DeviceGrant.Form.consonants + "23456789")

    private var visit: Visit { request.visit }

    /// The path of the page where users enter the code, on `www.facebook.com`.
    static let path = "/device"

    /// Returns the app, authenticated by `<app id>|<client token>` or with its secret.
    private func client() throws -> Client {
        guard let token = request.accessToken else { throw GraphError.noToken }
        let parts = token.split(separator: "|", maxSplits: 1)
        if parts.count == 2, let client = visit.provider.client(String(parts[0])), let clientToken = client.facebook?.clientToken,
            constantTimeEquals(String(parts[1]), clientToken)
        {
            return client
        }
        return try request.app()
    }

    func login() async throws -> Response {
        try await visit.enter("DeviceLogin")
        let client = try client()
        var scopes = ["public_profile"]
        for scope in (request.parameters.value("scope") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            if !scopes.contains(String(scope)) { scopes.append(String(scope)) }
        }
        let code = try randomBytes(16).hex
        let userCode = try await DeviceGrant(visit: visit).begin(for: client, scopes: scopes, as: Self.form, deviceCode: code)
        let base = visit.basePath.isEmpty ? "https://www.facebook.com" : visit.baseURL
        return .json(
            [
                "code": .string(code), "user_code": .string(userCode), "verification_uri": .string(base + Self.path),
                "expires_in": .integer(Int64(Self.form.lifetime)), "interval": .integer(Self.form.interval),
            ], headers: .unstored)
    }

    func status() async throws -> Response {
        try await visit.enter("DeviceLoginStatus")
        let client = try client()
        guard let code = request.parameters.value("code") else {
            throw GraphError(message: "(#100) The parameter code is required", code: 100)
        }
        let grant: Grant
        do {
            grant = try await DeviceGrant(visit: visit).redeem(code, by: client.id)
        } catch let fault as DeviceGrant.Fault {
            throw Self.error(fault)
        }
        guard var approval = Approval(grant, at: visit.provider) else { throw GraphError.notAuthorized(client) }
        visit.call.note(caller: approval.person.name)
        approval.scopes = try Consent(client: client, person: approval.person).scopes(in: visit) ?? approval.scopes
        let token = try await visit.refusing(app: client) { [approval] in
            try await visit.mint.accessToken(approval, lifetime: FacebookTokenEndpoint.longLifetime)
        }
        return .json(
            ["access_token": .string(token), "expires_in": .integer(Int64(FacebookTokenEndpoint.longLifetime))], headers: .unstored)
    }

    private static func error(_ fault: DeviceGrant.Fault) -> GraphError {
        switch fault {
        case .unknown: GraphError(message: "(#100) Invalid parameter", code: 100)
        case .denied: GraphError(message: "User has declined to authorize your application.", code: 31, subcode: 1_349_182)
        case .expired:
            GraphError(
                message: "The login session has expired.", code: 31, subcode: 1_349_152, userTitle: "Device Login Has Expired",
                userMessage: "Your code has expired. Please return to your device for a new code and try again.")
        case .pending:
            GraphError(
                message: "User has not yet authorized your application. Continue polling.", code: 31, subcode: 1_349_174,
                userTitle: "Device Login Authorization Pending",
                userMessage: "User has not yet authorized your application. Continue polling.")
        case .slowDown:
            GraphError(
                message: "User request limit reached", code: 17, subcode: 1_349_172, userTitle: "OAuth Device Excessive Polling",
                userMessage: "Your device is polling too frequently. Space your requests with a minimum interval of 5 seconds.")
        }
    }
}
