package import Calls
package import Federation

extension STSFace {
    /// Returns every check that STS makes of the signature of a presigned call.
    /// - Returns: `nil` for a call that is not signed.
    package func verification(of call: Call) -> RequestVerification? {
        service.authenticator.verification(of: call.signable, service: service.name, body: []).map { signature in
            RequestVerification(signature) { error in
                let refusal = QueryError(error)
                return ServiceCheck.Refusal(code: refusal.code, message: refusal.message)
            }
        }
    }

    /// Returns the error of `AssumeRoleWithWebIdentity` for a token that it rejects.
    package static func refusal(of error: WebIdentityError) -> ServiceCheck.Refusal {
        let refusal = QueryError(error)
        return ServiceCheck.Refusal(code: refusal.code, message: refusal.message)
    }
}
