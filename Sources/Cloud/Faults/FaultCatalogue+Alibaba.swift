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

    /// The errors of OSS. (OSS API Reference, "Error responses".)
    static let oss = entries([
        "AccessKeyIdAndSecurityTokenNotMatch": (403, "The access key ID you provided does not match the security token."),
        "CallbackFailed": (203, "Error status : -1. OSS can not connect to your callbackUrl, please check it."),
        "DownloadTrafficRateLimitExceeded": (503, "Your download traffic has exceeded the limit."),
        "FileAlreadyExists": (409, "The object you specified already exists and can not be overwritten."),
        "InternalError": (500, "We encountered an internal error. Please try again."),
        "InvalidSecurityToken": (403, "The security token you provided is invalid."),
        "ObjectNotAppendable": (409, "The object is not appendable."),
        "PositionNotEqualToLength": (409, "Position is not equal to file length."),
        "QpsLimitExceeded": (503, "Please reduce your request rate."),
        "RequestTimeout": (
            400, "Your socket connection to the server was not read from or written to within the timeout period."
        ),
        "SecurityTokenExpired": (403, "The security token you provided has expired."),
        "ServiceUnavailable": (503, "Please reduce your request rate."),
        "UploadTrafficRateLimitExceeded": (503, "Your upload traffic has exceeded the limit."),
    ])
}
