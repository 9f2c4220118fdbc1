import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// Where clients leave authorization requests (RFC 9126 section 2). They are checked at once, as the authorization endpoint would.
struct PushedAuthorizationEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("PushedAuthorization")
        var form = try await visit.postedFields(lists: visit.listParameters)
        let client = try await visit.client(of: form)
        visit.call.note(caller: client.id)
        guard form.value("request_uri") == nil else {
            throw OAuthError(.invalidRequest, "A request that is pushed has no request_uri.")
        }
        if form.value("client_id") == nil { form.fields.append(.init(name: "client_id", value: client.id)) }
        form.fields.removeAll { Self.credentials.contains($0.name) }
        try bind(&form)
        let resolved = try await checked(form, of: client)
        let reference = try await PushedRequest.keep(resolved, of: client, in: visit)
        return .json(
            ["request_uri": .string(reference), "expires_in": .integer(Int64(PushedRequest.lifetime))], status: .created,
            headers: .unstored)
    }

    private static let credentials: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    /// A proof of a key binds the code as the parameter does; where both are there they must agree (RFC 9449 section 10.1).
    private func bind(_ form: inout FormFields) throws {
        let proof: DPoPProof?
        do throws(DPoPProof.Fault) { proof = try DPoPProof(of: visit) } catch { throw OAuthError(error.code, error.explanation) }
        guard let thumbprint = proof?.keyThumbprint else { return }
        guard form.value("dpop_jkt") ?? thumbprint == thumbprint else {
            throw OAuthError(.invalidRequest, "The dpop_jkt is not of the key that the request proves.")
        }
        form.fields.removeAll { $0.name == "dpop_jkt" }
        form.fields.append(.init(name: "dpop_jkt", value: thumbprint))
    }

    /// What the authorization endpoint would say of the request is the answer here (section 2.3).
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
