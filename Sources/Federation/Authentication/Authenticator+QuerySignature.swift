import Cloud
package import RequestSigning
package import WireFormats

/// Why a call of the Query protocol that is signed with Version 2 is refused.
package enum QueryAuthenticationError: Error, Sendable {
    /// What is presented is not well-formed.
    case malformed(QuerySignatureError)
    /// The call's time, as sent, is more than 15 minutes from ours.
    case tooFar(String)
    /// The time after which the call does not count any more is over.
    case expired(Timestamp)
    case refused(AuthenticationError)
}

extension Authenticator {
    /// Who made a call of the Query protocol, if it is signed with Version 2.
    /// - Parameters:
    ///   - parameters: those of query and body.
    ///   - service: the service that was addressed, as scopes name it.
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
