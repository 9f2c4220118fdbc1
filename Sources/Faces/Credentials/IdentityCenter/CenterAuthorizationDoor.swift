import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The OIDC service of IAM Identity Center: clients register, and get tokens for people who log in at its pages.
/// (IAM Identity Center OIDC API Reference; RFC 6749, RFC 7636, RFC 8628. The descriptions of errors are Virga's.)
struct CenterAuthorizationDoor: CredentialDoor {
    let kind = CredentialSources.Kind.identityCenter
    private let action: Action

    private enum Action: String {
        case registerClient = "RegisterClient"
        case startDeviceAuthorization = "StartDeviceAuthorization"
        case createToken = "CreateToken"
        case createTokenWithIAM = "CreateTokenWithIAM"
    }

    /// The grant types.
    private enum GrantType: String, CaseIterable {
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
        case authorizationCode = "authorization_code"
        case refreshToken = "refresh_token"
    }

    /// The scopes that a client can register.
    private static let scopes = ["sso:account:access"]
    private static let largestBody = 64 << 10

    /// - Returns: `nil` for other paths.
    init?(_ call: Call) {
        switch call.path {
        case "/client/register": action = .registerClient
        case "/device_authorization": action = .startDeviceAuthorization
        case "/token": action = call.queryFields?.first("aws_iam") == nil ? .createToken : .createTokenWithIAM
        default: return nil
        }
    }

    var service: String { IdentityCenter.authorizationService }

    func operation(of call: CredentialCall) -> String { action.rawValue }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard call.http.method == .post else { throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use POST.") }
        guard action != .createTokenWithIAM else {
            throw DoorFailure.unknownOperation("Virga does not serve CreateTokenWithIAM of sso-oauth.")
        }
        let body: [UInt8]
        do { body = try await call.http.collectBody(upTo: Self.largestBody) } catch is BodyTooLarge {
            throw CenterError.invalidRequest.failure("The body is too large.")
        }
        let (input, tokens) = (try CenterInput(body), try call.centerTokens())
        try await call.applyFaults(at: self)
        do {
            switch action {
            case .registerClient: return try register(input, tokens, call)
            case .startDeviceAuthorization: return try await startDevice(input, tokens, call)
            case .createToken, .createTokenWithIAM: return try await createToken(input, tokens, call)
            }
        } catch let refusal as CenterTokens.Refusal {
            throw CenterError.invalidGrant.failure("The grant is not valid.", cause: refusal.cause)
        } catch is GrantRefusal {
            throw CenterError.invalidGrant.failure("The grant is not valid.", cause: "The user or the identity provider was removed.")
        }
    }

    // MARK: RegisterClient

    private func register(_ input: CenterInput, _ tokens: CenterTokens, _ call: CredentialCall) throws -> Response {
        let (name, type) = (try input.required("clientName"), try input.required("clientType"))
        guard CenterClient.isName(name) else {
            throw CenterError.invalidClientMetadata.failure("clientName must have at most 256 bytes, and no characters that are not seen.")
        }
        guard type == "public" else { throw CenterError.invalidClientMetadata.failure("clientType must be public.") }
        let (redirects, scopes, grants) = (try input.texts("redirectUris"), try input.texts("scopes"), try input.texts("grantTypes"))
        if let uri = redirects.first(where: { !CenterClient.isRedirectURI($0) }) {
            throw CenterError.invalidRedirectURI.failure("\(uri) is neither https nor a loopback URI.")
        }
        if let scope = scopes.first(where: { scope in !Self.scopes.contains { $0.equals(scope) } }) {
            let known = Self.scopes.joined(separator: ", ")
            throw CenterError.invalidScope.failure("Virga does not serve the scope \(scope); expected \(known).")
        }
        if let grant = grants.first(where: { GrantType(rawValue: $0) == nil }) {
            throw CenterError.unsupportedGrantType.failure("The grant type \(grant) is not supported.")
        }
        if let issuer = try input.text("issuerUrl"), !tokens.center.isStartURL(issuer) {
            throw CenterError.invalidRequest.failure("The issuerUrl is not that of the instance.")
        }
        guard try input.text("entitledApplicationArn") == nil else {
            throw CenterError.invalidRequest.failure("Virga serves no entitledApplicationArn.")
        }
        let client = try CenterClient(
            registering: .init(name: name, redirectURIs: redirects, scopes: scopes, grantTypes: grants), in: call.cloud)
        return answer([
            "clientId": .string(client.id), "clientSecret": .string(try client.secret(in: call.cloud)),
            "clientIdIssuedAt": .integer(client.issued.seconds), "clientSecretExpiresAt": .integer(client.expires.seconds),
            "authorizationEndpoint": .string(call.http.origin + CenterEntranceDoor.authorization),
            "tokenEndpoint": .string(call.http.origin + "/token"),
        ])
    }

    /// Returns the client of a request.
    private func client(_ input: CenterInput, _ tokens: CenterTokens, _ call: CredentialCall) throws(DoorFailure) -> CenterClient {
        let (id, secret) = (try input.required("clientId"), try input.required("clientSecret"))
        func refusal(_ cause: String) -> DoorFailure { CenterError.invalidClient.failure("The client is not valid.", cause: cause) }
        guard let client = CenterClient(id: id, in: call.cloud) else { throw refusal("The client ID is unknown.") }
        guard client.hasSecret(secret, in: call.cloud) else { throw refusal("The client secret is wrong.") }
        guard !client.hasExpired(by: call.cloud.clock) else { throw refusal("The registration has expired.") }
        return client
    }

    private func check(_ client: CenterClient, mayUse grant: GrantType) throws(DoorFailure) {
        guard client.mayUse(grantType: grant.rawValue) else {
            throw CenterError.unauthorizedClient.failure("The client has not registered the grant type \(grant.rawValue).")
        }
    }

    // MARK: StartDeviceAuthorization

    private func startDevice(_ input: CenterInput, _ tokens: CenterTokens, _ call: CredentialCall) async throws -> Response {
        let client = try client(input, tokens, call)
        try check(client, mayUse: .deviceCode)
        guard tokens.center.isStartURL(try input.required("startUrl")) else {
            throw CenterError.invalidRequest.failure("The startUrl is not that of the instance.")
        }
        let (form, deviceCode) = (CenterTokens.deviceForm, try OpaqueToken.unguessable())
        let userCode = try await tokens.devices.begin(
            for: client.shown, scopes: client.registration.scopes, as: form, deviceCode: deviceCode)
        let page = call.http.origin + CenterTokens.Pages.path(CenterTokens.Pages.device, of: tokens.provider)
        return answer([
            "deviceCode": .string(deviceCode), "userCode": .string(userCode), "verificationUri": .string(page),
            "verificationUriComplete": .string("\(page)?user_code=\(userCode)"), "expiresIn": .integer(Int64(form.lifetime)),
            "interval": .integer(form.interval),
        ])
    }

    // MARK: CreateToken

    private func createToken(_ input: CenterInput, _ tokens: CenterTokens, _ call: CredentialCall) async throws -> Response {
        let type = try input.required("grantType")
        let client = try client(input, tokens, call)
        guard let grant = GrantType(rawValue: type) else {
            throw CenterError.unsupportedGrantType.failure("The grant type \(type) is not supported.")
        }
        try check(client, mayUse: grant)
        let issued: CenterTokens.Issued
        switch grant {
        case .deviceCode: issued = try await poll(try input.required("deviceCode"), client, tokens)
        case .authorizationCode:
            let (code, uri) = (try input.required("code"), try input.required("redirectUri"))
            issued = try await tokens.redeem(code: code, by: client, redirectURI: uri, verifier: try input.required("codeVerifier"))
        case .refreshToken: issued = try await tokens.refresh(try input.required("refreshToken"), by: client)
        }
        call.http.note(caller: issued.person)
        var members: JSONObject = [
            "accessToken": .string(issued.accessToken), "tokenType": "Bearer",
            "expiresIn": .integer(issued.expires.seconds - issued.issued.seconds),
        ]
        if let token = issued.refreshToken { members["refreshToken"] = .string(token) }
        return answer(members)
    }

    private func poll(_ deviceCode: String, _ client: CenterClient, _ tokens: CenterTokens) async throws -> CenterTokens.Issued {
        let grant: Grant
        do {
            grant = try await tokens.devices.redeem(deviceCode, by: client.id)
        } catch let fault as DeviceGrant.Fault {
            throw Self.failure(of: fault)
        }
        return try await tokens.issue(for: grant.person, to: client)
    }

    private static func failure(of fault: DeviceGrant.Fault) -> DoorFailure {
        switch fault {
        case .unknown:
            CenterError.invalidGrant.failure(
                "The grant is not valid.", cause: "The device code is unknown, was used before, or belongs to another client.")
        case .expired: CenterError.expiredToken.failure("The device code has expired.")
        case .pending: CenterError.authorizationPending.failure("The user has not decided yet.")
        case .slowDown: CenterError.slowDown.failure("The client polls too often.")
        case .denied: CenterError.accessDenied.failure("The user has denied access.")
        }
    }

    private func answer(_ members: JSONObject) -> Response { .json(.object(members), headers: .unstored) }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        let code = failure.code == "InternalServerError" ? CenterError.internalServer.rawValue : failure.code
        guard let error = CenterError(rawValue: code)?.error else {
            return failure.inREST(["message": .string(failure.message)], requestID: call.http.id.uuid)
        }
        return failure.inREST(
            ["error": .string(error), "error_description": .string(failure.message)], requestID: call.http.id.uuid)
    }
}
