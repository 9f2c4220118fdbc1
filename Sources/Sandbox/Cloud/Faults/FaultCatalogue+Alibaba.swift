extension FaultCatalogue {
    /// The errors of RPC services. (Alibaba Cloud OpenAPI, "Common error codes"; STS API Reference and RAM API Reference, "Error codes".)
    static let rpc = entries([
        "AuthenticationFail.OIDCToken.Expired": (401, "This JsonWebToken is expired."),
        "AuthenticationFail.OIDCToken.Invalid": (401, "OIDC token is invalid."),
        "AuthenticationFail.SAMLAssertion.Expired": (401, "The SAML Assertion is expired."),
        "EntityNotExist.Role": (404, "The specified Role not exists."),
        "InternalError": (500, "The request processing has failed due to some unknown error."),
        "InvalidAccessKeyId.Inactive": (400, "Specified access key is disabled."),
        "InvalidAccessKeyId.NotFound": (404, "Specified access key is not found."),
        "InvalidSecurityToken.Expired": (400, "Specified SecurityToken is expired."),
        "InvalidSecurityToken.Malformed": (400, "Specified SecurityToken is malformed."),
        "InvalidTimeStamp.Expired": (400, "Specified time stamp or date value is expired."),
        "NoPermission": (403, "You are not authorized to do this action. You should be authorized by RAM."),
        "ServiceUnavailable": (503, "The request has failed due to a temporary failure of the server."),
        "SignatureNonceUsed": (400, "Specified signature nonce was used already."),
        "Throttling": (400, "Request was denied due to request throttling."),
        "Throttling.Api": (400, "Request was denied due to api flow control."),
        "Throttling.User": (400, "Request was denied due to user flow control."),
    ])
}
