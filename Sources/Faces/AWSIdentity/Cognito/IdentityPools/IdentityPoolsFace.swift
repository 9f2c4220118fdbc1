package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
import Tokens
import WireFormats

/// Identity pools of Amazon Cognito over AWS JSON 1.1. (Amazon Cognito Federated Identities API Reference, version 2014-06-30.)
package struct IdentityPoolsFace: ServiceFace {
    typealias Wire = JSONProtocol
    typealias SignedCall = IdentityPoolsCall

    /// The service's name in hosts and in the scope of signatures.
    package static let label = "cognito-identity"
    /// The text before the operation in `X-Amz-Target`.
    package static let target = "AWSCognitoIdentityService"
    /// The path of the key set, with the name that it really has.
    package static let keysPath = "/.well-known/jwks_uri"

    let service: Service<JSONProtocol>
    /// Finds the keys of external identity providers.
    let issuers: ForeignIssuers
    /// Verifies tokens of user pools; `nil` if there are none.
    let userPools: (any UserPoolLogins)?
    /// The cached metadata of SAML providers.
    let samlMetadata = SAMLMetadataCache()
    var tokens: SessionTokens { service.authenticator.sessions }

    /// - Parameters:
    ///   - authenticator: verifies signatures.
    ///   - issuers: finds the keys of external identity providers.
    ///   - userPools: verifies tokens of user pools; `nil` if there are none.
    package init(authenticator: Authenticator, issuers: ForeignIssuers, userPools: (any UserPoolLogins)? = nil) {
        self.issuers = issuers
        self.userPools = userPools
        // Ten logins have at most 50,000 characters each.
        service = Service(
            name: Self.label, wire: JSONProtocol(target: Self.target, messageMember: "message", hasErrorHeaders: true),
            bodyLimit: 1 << 20, authenticator: authenticator)
    }

    /// Responds to one call, or with a document of the issuer of the pools' tokens.
    package func respond(to call: Call) async -> Response {
        if call.method == .options {
            call.note(face: service.name)
            return QueryCrossOrigin.preflight(call)
        }
        var response: Response
        if call.method == .get || call.method == .head {
            call.note(face: service.name)
            response = await document(for: call)
        } else {
            response = await answer(call)
        }
        QueryCrossOrigin.append(to: &response, for: call)
        return response
    }

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> IdentityPoolsCall {
        guard let account = signer.caller.account else { throw .missingToken }
        return IdentityPoolsCall(
            face: self, http: call.http, caller: signer.caller, account: account, region: signer.region ?? "us-east-1",
            action: call.action, members: try JSONMembers(call.body))
    }

    /// The operations that clients without credentials call; a signature is not looked at. All others are signed.
    static let operations: [String: ServiceOperation<IdentityPoolsFace>] = [
        "CreateIdentityPool": .init { try await $0.createPool() },
        "DeleteIdentities": .init { try await $0.deleteIdentities() },
        "DeleteIdentityPool": .init { try await $0.deletePool() },
        "DescribeIdentity": .init { try $0.describeIdentity() },
        "DescribeIdentityPool": .init { try $0.describePool() },
        "GetCredentialsForIdentity": .unsigned { face, call in try await UnsignedPoolCall(face, call).credentials() },
        "GetId": .unsigned { face, call in try await UnsignedPoolCall(face, call).identifier() },
        "GetIdentityPoolRoles": .init { try $0.roles() },
        "GetOpenIdToken": .unsigned { face, call in try await UnsignedPoolCall(face, call).openIDToken() },
        "GetOpenIdTokenForDeveloperIdentity": .init { try await $0.developerToken() },
        "GetPrincipalTagAttributeMap": .init { try $0.tagMap() },
        "ListIdentities": .init { try $0.listIdentities() },
        "ListIdentityPools": .init { try $0.listPools() },
        "ListTagsForResource": .init { try $0.listTags() },
        "LookupDeveloperIdentity": .init { try $0.lookUpDeveloperIdentity() },
        "MergeDeveloperIdentities": .init { try await $0.mergeDeveloperIdentities() },
        "SetIdentityPoolRoles": .init { try await $0.setRoles() },
        "SetPrincipalTagAttributeMap": .init { try await $0.setTagMap() },
        "TagResource": .init { try await $0.tag() },
        "UnlinkDeveloperIdentity": .init { try await $0.unlinkDeveloperIdentity() },
        "UnlinkIdentity": .unsigned { face, call in try await UnsignedPoolCall(face, call).unlink() },
        "UntagResource": .init { try await $0.untag() },
        "UpdateIdentityPool": .init { try await $0.updatePool() },
    ]

    // MARK: Documents

    /// Returns the metadata or the key set of the issuer. The issuer has one name, and its keys are at the host of the request.
    private func document(for call: Call) async -> Response {
        switch call.path {
        case "/.well-known/openid-configuration":
            call.note(operation: "Discovery")
            return .json([
                "issuer": .string(PoolToken.issuer), "jwks_uri": .string(keysURL(for: call)),
                "response_types_supported": ["token", "id_token", "token id_token"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": [.string(PoolToken.algorithm.rawValue)],
            ])
        case Self.keysPath:
            call.note(operation: "KeySet")
            do {
                let keys = try await call.cloud.publishedKeys(of: PoolToken.keyName, algorithms: [PoolToken.algorithm])
                return .json(try JSONWebKeySet(keys.map(\.key.jsonWebKey)).json)
            } catch {
                call.note(failure: error)
                return .json(["message": "Internal Server Error"], status: .internalServerError)
            }
        default: return .json(["message": "Not Found"], status: .notFound)
        }
    }

    private func keysURL(for call: Call) -> String {
        call.names.publicURL == nil && call.host.hasSuffix(".amazonaws.com")
            ? PoolToken.issuer + Self.keysPath : call.origin + Self.keysPath
    }
}
