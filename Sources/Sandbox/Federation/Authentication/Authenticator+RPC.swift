import Cloud
import Policy
package import RequestSigning
package import WireFormats

extension Authenticator {
    /// Authenticates a call to an RPC API of Alibaba Cloud.
    ///
    /// A Version 3 signature in the headers takes precedence over a Version 1 signature in the parameters, because some SDKs send `x-acs-…`
    /// headers with both.
    /// - Parameters:
    ///   - parameters: the parameters of the query and of the form, together.
    ///   - body: the body as received.
    ///   - service: the service under which the use of the key is recorded.
    /// - Returns: `nil` for a call that is not signed.
    package func authenticate(
        _ request: SignableRequest, parameters: FormFields, body: [UInt8], service: String
    ) throws(AuthenticationError) -> Authenticated? {
        let newer: ACS3Signature.Presented?
        let older: RPCSignature.Presented?
        do {
            newer = try ACS3Signature.Presented(request, body: body)
            older = newer == nil ? try RPCSignature.Presented(parameters) : nil
        } catch {
            throw .signingRPC(error)
        }
        if let newer {
            let caller = try verify(newer.accessKey, newer.sessionToken, newer.nonce, newer.timestamp) { secret throws(SignatureMismatch) in
                try newer.verify(request, body: body, secret: secret)
            }
            noteUse(of: newer.accessKey, by: caller, service: service, region: "")
            return Authenticated(caller: caller, signature: .acs3(newer))
        }
        guard let older else { return nil }
        let caller = try verify(older.accessKey, older.sessionToken, older.nonce, older.timestamp) { secret throws(SignatureMismatch) in
            try older.verify(method: request.method, parameters: parameters, secret: secret)
        }
        noteUse(of: older.accessKey, by: caller, service: service, region: "")
        return Authenticated(caller: caller, signature: .rpc(older))
    }

    /// Verifies what both signatures have in common: a time near the wall clock, an access key, and a nonce that no other valid call has
    /// used.
    private func verify(
        _ accessKey: String, _ sessionToken: String?, _ nonce: String, _ timestamp: Timestamp,
        _ signature: (String) throws(SignatureMismatch) -> Void
    ) throws(AuthenticationError) -> Caller {
        try checkSkew(of: timestamp, text: timestamp.iso8601)
        let holder = try holder(of: accessKey, sessionToken: sessionToken, at: .alibaba)
        do {
            try signature(holder.secret)
        } catch {
            throw .signatureMismatch(error, accessKeyID: accessKey)
        }
        guard nonces.insert(nonce, of: accessKey, at: cloud.clock.wall) else { throw .usedNonce(nonce) }
        return holder.caller
    }
}
