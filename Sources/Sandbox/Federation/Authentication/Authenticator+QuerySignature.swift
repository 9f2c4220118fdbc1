import Cloud
package import RequestSigning
package import WireFormats

/// The reason why a call of the Query protocol with a Version 2 signature is rejected.
package enum QueryAuthenticationError: Error, Sendable {
    /// The signature is malformed.
    case malformed(QuerySignatureError)
    /// The call's time, as sent, differs from the server's by more than 15 minutes.
    case tooFar(String)
    /// The call expired at this time.
    case expired(Timestamp)
    case refused(AuthenticationError)
}

extension Authenticator {
    /// Authenticates a call of the Query protocol with a Version 2 signature; `nil` if it is not signed with Version 2.
    /// - Parameters:
    ///   - parameters: the parameters of query and body.
    ///   - service: the addressed service, as scopes name it.
    package func authenticate(
        call request: SignableRequest, parameters: FormFields, service: String
    ) throws(QueryAuthenticationError) -> Caller? {
        let presented: QuerySignature?
        do {
            presented = try QuerySignature(parameters)
        } catch {
            throw .malformed(error)
        }
        guard let presented else { return nil }
        switch presented.validity {
        case .signed(let time, let text):
            do { try checkSkew(of: time, text: text) } catch { throw .tooFar(text) }
        case .until(let expires):
            guard cloud.clock.wall <= expires else { throw .expired(expires) }
        }
        let caller: Caller
        do {
            caller = try holder(of: presented, in: request)
        } catch {
            throw .refused(error)
        }
        noteUse(of: presented.accessKey, by: caller, service: service, region: "us-east-1")
        return caller
    }

    private func holder(of presented: QuerySignature, in request: SignableRequest) throws(AuthenticationError) -> Caller {
        let holder = try holder(of: presented.accessKey, sessionToken: presented.sessionToken)
        do {
            try presented.verify(request, secret: holder.secret)
        } catch {
            throw .signatureMismatch(error, accessKeyID: presented.accessKey)
        }
        return holder.caller
    }
}
