import HTTPTypes
package import RequestSigning
package import WireFormats

/// The request that an upstream receives: the client's, without its credentials, signed anew.
///
/// moto, ministack, LocalStack, DynamoDB Local and ElasticMQ find the account in an access key of twelve digits, or ignore it; moto also
/// reads a header. So the account's ID is the access key. The region is in the scope.
package enum UpstreamRequest {
    /// Returns the request of a call.
    /// - Parameters:
    ///   - request: the request as received. Its authority stays, so that upstreams name queues by this server's URL.
    ///   - account: the account of the caller.
    ///   - payload: the hash of the body.
    package static func signed(
        _ request: SignableRequest, account: String, region: String, service: String, payload: PayloadHash, at time: Timestamp
    ) -> SignableRequest {
        var fields = HTTPFields()
        for field in request.fields where isPassed(field.name.canonicalName) { fields.append(field) }
        if let name = HTTPField.Name("x-moto-account-id") { fields[name] = account }
        var query = request.query
        query.items.removeAll { item in
            guard let name = item.decodedName?.lowercasedASCII else { return false }
            return signatureParameters.contains(name)
        }
        var upstream = SignableRequest(
            method: request.method, path: request.path, query: query, authority: request.authority, fields: fields)
        SignatureV4.Signer(accessKey: account, secret: "test", region: region, service: service)
            .sign(&upstream, payload: payload, at: time)
        return upstream
    }

    /// Whether a header reaches the upstream. Others are left out, because an upstream or a proxy before it could take them for credentials,
    /// for another method or for another path.
    /// - Parameter name: the name in lowercase.
    private static func isPassed(_ name: String) -> Bool {
        if passed.contains(name) { return true }
        guard name.hasPrefix("x-amz-") || name.hasPrefix("x-amzn-") || name.hasPrefix("amz-sdk-") else { return false }
        return !credentials.contains(name)
    }

    private static let passed = [
        "accept", "accept-encoding", "content-encoding", "content-md5", "content-type", "if-match", "if-none-match", "range",
        "smithy-protocol", "user-agent",
    ]

    /// The headers of signatures. The signer sets those that the upstream gets.
    private static let credentials = [
        "x-amz-content-sha256", "x-amz-date", "x-amz-region-set", "x-amz-security-token", "x-amz-signature", "x-amz-credential",
        "x-amz-algorithm", "x-amz-signedheaders", "x-amz-expires",
    ]

    /// The parameters of presigned requests, in lowercase.
    private static let signatureParameters = [
        "x-amz-algorithm", "x-amz-content-sha256", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-region-set",
        "x-amz-security-token", "x-amz-signature", "x-amz-signedheaders",
    ]
}
