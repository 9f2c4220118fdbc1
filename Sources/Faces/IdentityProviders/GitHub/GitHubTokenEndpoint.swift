import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The token endpoint, `/login/oauth/access_token`, of the web application flow and of devices. Errors have the status 200. (GitHub Docs,
/// "Authorizing OAuth apps", "Troubleshooting OAuth app access token request errors".)
struct GitHubTokenEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let (approval, token) = try await issue(visit.gitHubParameters())
        return visit.gitHubFormat.response([
            "access_token": .string(token), "scope": .string(approval.scopes.joined(separator: ",")), "token_type": "bearer",
        ])
    }

    private func issue(_ parameters: FormFields) async throws -> (Approval, String) {
        switch parameters.value("grant_type") {
        case nil, "authorization_code": return try await redeemCode(parameters)
        case GitHubDevices.grantType: return try await redeemDeviceCode(parameters)
        case let other?: throw GitHubError.unsupportedGrantType(other)
        }
    }

    private func authenticate(_ parameters: FormFields) throws -> Client {
        do {
            return try ClientAuthentication.client(of: parameters, headers: visit.call.headers, at: visit.provider)
        } catch {
            throw GitHubError.incorrectCredentials
        }
    }

    private func redeemCode(_ parameters: FormFields) async throws -> (Approval, String) {
        let client = try authenticate(parameters)
        guard let text = parameters.value("code") else { throw GitHubError.badVerificationCode }
        let code = AuthorizationCode(text: text, visit: visit)
        // The redirect URI may be left out, and is compared if it is sent.
        let bound = try visit.cloud.grants.look(up: text, kind: .code, at: visit.provider.name)?.details["redirect_uri"]?.stringValue
        do {
            let grant = try await code.check(
                by: client, redirectURI: parameters.value("redirect_uri") ?? bound, verifier: parameters.value("code_verifier"))
            let approval = try approval(of: grant)
            let access = try visit.mint.newAccessToken(approval)
            try await code.spend(grant, on: [access])
            return (approval, access.token)
        } catch let fault as AuthorizationCode.Fault {
            switch fault {
            case .otherRedirectURI: throw GitHubError.redirectMismatch
            case .unknown, .expired, .alreadyUsed, .otherClient, .missingVerifier, .unexpectedVerifier, .wrongVerifier:
                throw GitHubError.badVerificationCode
            }
        }
    }

    /// Devices cannot keep a secret and need none.
    private func redeemDeviceCode(_ parameters: FormFields) async throws -> (Approval, String) {
        guard let client = parameters.value("client_id").flatMap(visit.provider.client) else { throw GitHubError.incorrectCredentials }
        let grant = try await GitHubDevices(visit: visit).redeem(parameters.value("device_code") ?? "", by: client)
        let approval = try approval(of: grant)
        return (approval, try await visit.mint.accessToken(approval))
    }

    private func approval(of grant: Grant) throws -> Approval {
        guard let approval = Approval(grant, at: visit.provider) else { throw GitHubError.badVerificationCode }
        visit.call.note(caller: approval.person.name)
        guard GitHubEmail.isPrimaryVerified(of: approval.person) else { throw GitHubError.unverifiedEmail }
        return approval
    }
}

extension Visit {
    /// The format that the client accepts from the OAuth endpoints.
    var gitHubFormat: GitHubFormat { GitHubFormat(accept: call.headers.value(of: .accept)) }

    /// Returns the parameters of the query and of the body, which is a form or a JSON object with texts.
    /// - Throws: `FormFault`, or the connection's error.
    func gitHubParameters() async throws -> FormFields {
        let type = (call.headers.value(of: .contentType) ?? "").prefix { $0 != ";" }.trimmed.lowercased()
        guard type == "application/json" else { return try await parameters() }
        var fields = try query()
        guard let body = try await jsonBody() else { throw FormFault.malformed }
        for (name, value) in body.members {
            if let text = value.stringValue { fields.fields.append(.init(name: name, value: text)) }
        }
        return fields
    }

    /// Returns the JSON object in the body; `nil` if it is none.
    /// - Throws: `FormFault`, or the connection's error.
    func jsonBody() async throws -> JSONObject? {
        do {
            return try JSONValue(parsing: await call.collectBody(upTo: 1 << 16)).objectValue
        } catch is JSONSyntaxError {
            return nil
        } catch is BodyTooLarge {
            throw FormFault.tooLarge
        } catch is ContentCutOff {
            throw FormFault.cutOff
        }
    }
}
