import Calls
import Federation
import HTTPTypes
import RequestSigning
import WireFormats

/// Who signed a call, and the region of the signature if it has one.
typealias Signer = (caller: Caller, region: String?)

extension Service {
    /// Authenticates the call. Returns its caller, and the region of the signature if it has one.
    func authenticated(_ call: ServiceCall) throws(ServiceError) -> Signer {
        guard let signer = try signer(of: call) else {
            throw ServiceError.missingToken
        }
        if let arn = signer.caller.arn { call.http.note(caller: arn) }
        return signer
    }

    /// Returns the signer of the call, or `nil` if it is unsigned. Version 2 signs parameters instead of headers; it is tried last.
    func signer(of call: ServiceCall) throws(ServiceError) -> Signer? {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(
                call.http.signable, service: name, body: call.body, sessionToken: call.fields.value("SecurityToken"))
        } catch {
            throw ServiceError(error)
        }
        if let authenticated {
            try checkPage(call, authenticated.accessKey)
            try checkRegion(authenticated.region, of: call)
            return (authenticated.caller, authenticated.region)
        }
        guard takesVersion2 else { return nil }
        let caller: Caller?
        do {
            caller = try authenticator.authenticate(call: call.http.signable, parameters: call.fields, service: name)
        } catch {
            throw ServiceError(error)
        }
        guard let caller else { return nil }
        if let key = call.fields.value("AWSAccessKeyId") { try checkPage(call, key) }
        return (caller, nil)
    }

    /// Rejects calls that a web page of another origin signs with a well-known key.
    private func checkPage(_ call: ServiceCall, _ accessKey: String) throws(ServiceError) {
        guard let refusal = call.http.refusal(ofKey: accessKey, by: authenticator, .call) else { return }
        throw ServiceError("AccessDenied", .forbidden, refusal)
    }
}
