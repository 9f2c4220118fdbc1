package import Calls
package import Cloud
package import Directory
package import Federation
import Policy
import WireFormats

extension STSFace {
    /// Returns every check that STS makes of the signature of a presigned call.
    /// - Returns: `nil` for a call that is not signed.
    package func verification(of call: Call) -> RequestVerification? {
        service.authenticator.verification(of: call.signable, service: service.name, body: []).map { signature in
            RequestVerification(signature, refusal: Self.refusal)
        }
    }

    /// Returns the error of STS for a call that it cannot authenticate.
    package static func refusal(of error: AuthenticationError) -> ServiceCheck.Refusal { ServiceCheck.Refusal(ServiceError(error)) }

    /// Returns the error of `AssumeRoleWithWebIdentity` for a token that it rejects.
    package static func refusal(of error: WebIdentityError) -> ServiceCheck.Refusal { ServiceCheck.Refusal(ServiceError(error)) }

    /// Returns the verifier of `AssumeRoleWithWebIdentity`.
    func webIdentityVerifier(_ cloud: Cloud, _ names: HostNames) -> WebIdentityVerifier {
        WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers, dialect: dialect.ofPolicies)
    }

    /// Verifies a token as `AssumeRoleWithWebIdentity` does.
    /// - Parameters:
    ///   - account: the account of the role.
    ///   - role: the ARN of the role; `nil` for any role of the account.
    /// - Throws: `WebIdentityError`, or an error of the database.
    package func webIdentity(
        of token: String, providerID: String?, account: String, role: String?, in cloud: Cloud, names: HostNames
    ) async throws -> WebIdentity {
        let identity = try await webIdentityVerifier(cloud, names).verify(token: token, providerID: providerID, account: account)
            .adapted(to: dialect)
        if let role { try identity.checkRoles(for: role) }
        return identity
    }

    /// Returns every check that `AssumeRoleWithWebIdentity` makes of an ID token for the roles of an account.
    /// - Throws: an error of the database.
    package func checks(
        ofIDToken token: String, account: String, in cloud: Cloud, names: HostNames
    ) async throws -> [ServiceCheck] {
        var parameters = QueryParameters(["WebIdentityToken": token])
        _ = AssumeRoleWithWebIdentityInput.webIdentityToken(&parameters)
        let verified = try await webIdentityVerifier(cloud, names).checks(ofIDToken: token, by: .account(account))
        return [Self.size(parameters)] + verified.map { ServiceCheck($0, refusal: Self.refusal) }
    }

    /// Returns every check that `AssumeRoleWithSAML` makes of a response for a role and a provider.
    /// - Throws: an error of the database.
    package func checks(ofSAMLResponse text: String, role: String, provider: SAMLTrust, _ call: Call) async throws -> [ServiceCheck] {
        var parameters = QueryParameters(["SAMLAssertion": text])
        _ = AssumeRoleWithSAMLInput.assertion(&parameters)
        guard let metadata = samlMetadata.metadata(try await provider.currentMetadata(in: call.cloud), of: provider.arn) else {
            return [Self.size(parameters), ServiceCheck(name: "metadata", refusal: .init(ServiceError.unreadableMetadata(call)))]
        }
        let verifier = SAMLIdentityVerifier(clock: call.cloud.clock, metadata: metadata, trust: provider)
        let verified = try await verifier.checks(of: text, for: role, in: call.cloud)
        return [Self.size(parameters)]
            + verified.map { check -> ServiceCheck in
                let cause = check.error.map { $0.cause.hasSuffix(".") ? $0.cause : "\($0.cause)." }
                return ServiceCheck(name: check.name, refusal: check.error.map { .init(ServiceError($0, call)) }, cause: cause)
            }
    }

    private static func size(_ parameters: QueryParameters) -> ServiceCheck {
        let size = Result { () throws(ServiceError) in try parameters.check() }
        return ServiceCheck(name: "size", refusal: size.failure.map(ServiceCheck.Refusal.init))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
