import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

extension AuthorizeEndpoint {
    static func requestObjectMetadata(_ visit: Visit) -> JSONObject {
        [
            "request_parameter_supported": true,
            "request_uri_parameter_supported": true,
            "require_request_uri_registration": true,
            "request_object_signing_alg_values_supported": .array(
                ClientMetadata.requestObjectAlgorithms.map { .string($0) }),
            "pushed_authorization_request_endpoint": .string(visit.url(of: .pushedAuthorization)),
            "require_pushed_authorization_requests": false,
        ]
    }

    /// Returns the parameters of a request, resolving a request object by value or reference and a pushed request.
    func resolve(_ parameters: FormFields) async throws -> FormFields {
        let client = try self.client(of: parameters)
        if let reference = parameters.value("request_uri"), PushedRequest.isReference(reference) {
            guard let pushed = try await PushedRequest.take(reference, of: client, in: visit) else {
                throw FaultPage(
                    code: OAuthError.Code.invalidRequestURI.rawValue,
                    explanation: "The pushed request is unknown, was used already, or is too old. "
                        + "Go back to the application and start again.")
            }
            return pushed
        }
        do {
            if client.metadata.requirePushedAuthorizationRequests == true {
                throw AuthorizationFault(.invalidRequest, "The client must push its authorization requests.")
            }
            return try await resolveObject(parameters, of: client)
        } catch let fault as AuthorizationFault {
            throw refusal(of: parameters, fault)
        }
    }

    /// Returns the parameters of a request, resolving a request object by value or reference.
    /// - Throws: `AuthorizationFault`.
    func resolveObject(_ parameters: FormFields, of client: Client) async throws -> FormFields {
        let text: String
        switch (parameters.value("request"), parameters.value("request_uri")) {
        case (nil, nil): return parameters
        case (.some, .some): throw AuthorizationFault(.invalidRequest, "The request has an object by value and one by reference.")
        case (let object?, nil): text = object
        case (nil, let reference?): text = try await requestObject(at: reference, of: client)
        }
        if let name = visit.repeatedParameter(of: parameters) {
            throw AuthorizationFault(.invalidRequest, "The parameter \(name) is repeated.")
        }
        do {
            return try await RequestObject(text, from: client, at: visit).merged(into: parameters)
        } catch let fault as RequestObject.Fault {
            throw AuthorizationFault(.invalidRequestObject, fault.explanation)
        }
    }

    /// Fetches a request object from a URL that the client has registered (OpenID Connect Core 1.0 section 6.2). A fragment, which
    /// indicates a new version of the contents, is ignored.
    private func requestObject(at reference: String, of client: Client) async throws -> String {
        let address = String(reference.prefix { $0 != "#" })
        let registered = client.metadata.requestURIs ?? []
        guard registered.contains(reference) || registered.contains(address), ["https://", "http://"].contains(where: address.hasPrefix)
        else { throw AuthorizationFault(.invalidRequestURI, "The request_uri is not one that the client has registered.") }
        guard let document = await visit.applications.document(at: address), let text = String(validating: document, as: UTF8.self) else {
            throw AuthorizationFault(.invalidRequestURI, "There is no request object at the request_uri.")
        }
        return text.split(whereSeparator: \.isWhitespace).joined()
    }

    /// Returns an error response to the application if the parameters outside the object contain its redirect URI, else an error page.
    private func refusal(of parameters: FormFields, _ fault: AuthorizationFault) -> any Error {
        guard var request = try? destination(of: parameters) else {
            return FaultPage(code: fault.code.rawValue, explanation: fault.description)
        }
        // This only determines the response mode; errors in these parameters are ignored, because another error is already being reported.
        try? ResponseTypes.read(parameters, into: &request, as: visit.manners)
        return answer(to: request, fault)
    }
}
