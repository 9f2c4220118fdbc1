import HTTPTypes
package import RequestSigning

extension Exchange {
    /// The request as signatures cover it.
    package var signable: SignableRequest {
        SignableRequest(
            method: method.rawValue, target: request.target, authority: authority, fields: headers)
    }
}
