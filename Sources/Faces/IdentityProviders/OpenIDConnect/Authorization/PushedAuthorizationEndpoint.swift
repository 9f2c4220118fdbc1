import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The pushed authorization request endpoint (RFC 9126 section 2). Requests are checked immediately, as at the authorization endpoint.
struct PushedAuthorizationEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("PushedAuthorization")
        let sent = try await visit.postedFields(lists: visit.listParameters)
        var form = sent
        let client = try await visit.client(of: form)
        visit.call.note(caller: client.id)
        guard form.value("request_uri") == nil else {
            throw OAuthError(.invalidRequest, "A pushed request must not contain a request_uri.")
        }
        if form.value("client_id") == nil { form.fields.append(.init(name: "client_id", value: client.id)) }
        form.fields.removeAll { Self.credentials.contains($0.name) }
        try bind(&form)
        let resolved = try await checked(form, of: client)
        let reference = try await visit.refusing(unknownClient: visit.unknownClient(in: sent), unknownPerson: .revokedGrant) {
            try await PushedRequest.keep(resolved, of: client, in: visit)
        }
        return .json(
            ["request_uri": .string(reference), "expires_in": .integer(Int64(PushedRequest.lifetime))], status: .created,
            headers: .unstored)
    }

    private static let credentials: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    /// Binds the code to the key of a DPoP proof, as the parameter `dpop_jkt` does. If both are present, they must match (RFC 9449 section
    /// 10.1).
    private func bind(_ form: inout FormFields) throws {
        let proof: DPoPProof?
        do throws(DPoPProof.Fault) { proof = try DPoPProof(of: visit) } catch { throw OAuthError(error.code, error.explanation) }
        guard let thumbprint = proof?.keyThumbprint else { return }
        guard form.value("dpop_jkt") ?? thumbprint == thumbprint else {
            throw OAuthError(.invalidRequest, "The dpop_jkt is not the thumbprint of the key in the request's proof.")
        }
        form.fields.removeAll { $0.name == "dpop_jkt" }
        form.fields.append(.init(name: "dpop_jkt", value: thumbprint))
    }

    /// Returns the checked parameters. Errors are those of the authorization endpoint (section 2.3).
    private func checked(_ form: FormFields, of client: Client) async throws -> FormFields {
        let endpoint = AuthorizeEndpoint(visit: visit)
        do {
            let resolved = try await endpoint.resolveObject(form, of: client)
            guard resolved.value("client_id") == client.id else {
                throw OAuthError(.invalidRequest, "The request is another client's.")
            }
            _ = try await endpoint.request(resolved)
            return resolved
        } catch let page as FaultPage {
            throw OAuthError(.invalidRequest, page.explanation)
        } catch let fault as AuthorizationFault {
            throw OAuthError(fault.code, fault.description)
        } catch let answer as AuthorizationAnswer {
            let code = answer.fields["error"].flatMap(OAuthError.Code.init(rawValue:)) ?? .invalidRequest
            throw OAuthError(code, answer.fields["error_description"] ?? "")
        }
    }
}
