import Cryptography
package import WireFormats

/// The signature of a form that a browser posts: it covers the policy document in base 64, as sent, and nothing else.
///
/// "Authenticating requests in browser-based uploads using POST (AWS signature version 4)" in the S3 API Reference, and
/// "Browser-based uploads using POST (AWS signature version 2)" in the S3 User Guide.
package struct FormSignature: Hashable, Sendable {
    /// The versions of form signatures.
    package enum Version: Hashable, Sendable {
        /// Signed with the secret itself: Version 2 of AWS, and Version 1 of Alibaba Cloud OSS, which is the same computation.
        case plain(CredentialScope.Scheme)
        /// Version 4 of either vendor: the scope of the key, and when the form says it was signed.
        case v4(CredentialScope, Timestamp)
    }

    /// The version of the signature.
    package var version: Version
    /// The access key identifier.
    package var accessKey: String
    /// The policy document in base 64, as sent.
    package var policy: String
    /// The signature as sent; not validated.
    package var signature: String
    /// The session token sent with the signature; not empty.
    package var sessionToken: String?
}

extension FormSignature {
    /// Reads the fields of a form. Returns `nil` if none of them belongs to a signature.
    /// - Parameter field: returns the value of a field by its name in lowercase.
    package init?(_ field: (String) -> String?) throws(FormSignatureError) {
        let token = field("x-amz-security-token").flatMap { $0.isEmpty ? nil : $0 }
        if Self.namesOfV4.contains(where: { field($0.lowercased()) != nil }) {
            let values = try Self.require(["Policy"] + Self.namesOfV4, field)
            guard values[1] == SignatureV4.algorithm else { throw .unsupportedAlgorithm(values[1]) }
            let (accessKey, scope) = try Self.parse(credential: values[2])
            guard let moment = Timestamp(basic: values[3]) else { throw .malformedDate(values[3]) }
            self.init(
                version: .v4(scope, moment), accessKey: accessKey, policy: values[0], signature: values[4], sessionToken: token)
        } else if field("signature") != nil || field("awsaccesskeyid") != nil {
            let values = try Self.require(["Policy", "AWSAccessKeyId", "Signature"], field)
            self.init(version: .plain(.aws), accessKey: values[1], policy: values[0], signature: values[2], sessionToken: token)
        } else {
            return nil
        }
    }

    private static func parse(credential: String) throws(FormSignatureError) -> (accessKey: String, scope: CredentialScope) {
        let parts = credential.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { throw .malformedCredential(credential, .parts) }
        guard !parts[0].isEmpty else { throw .malformedCredential(credential, .emptyAccessKey) }
        guard parts[1].utf8.count == 8, Timestamp(basic: "\(parts[1])T000000Z") != nil else {
            throw .malformedCredential(credential, .date(parts[1]))
        }
        guard parts[4] == CredentialScope.Scheme.aws.terminator else {
            throw .malformedCredential(credential, .terminator(parts[4]))
        }
        return (parts[0], CredentialScope(date: parts[1], region: parts[2], service: parts[3]))
    }

    private static let namesOfV4 = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Signature"]

    private static func require(_ names: [String], _ field: (String) -> String?) throws(FormSignatureError) -> [String] {
        var values: [String] = []
        for name in names {
            guard let value = field(name.lowercased()), !value.isEmpty else { throw .missingField(name) }
            values.append(value)
        }
        return values
    }

    /// The vendor whose signature it is.
    package var scheme: CredentialScope.Scheme {
        switch version {
        case .plain(let scheme): scheme
        case .v4(let scope, _): scope.scheme
        }
    }

    /// The credential as sent in Version 4; in other versions the access key.
    package var credential: String {
        guard case .v4(let scope, _) = version else { return accessKey }
        return "\(accessKey)/\(scope.text)"
    }

    /// Holds the presented signature against the one that a secret gives for the policy.
    /// - Parameter key: derives the key of Version 4 for a scope; a cache may know it.
    package func verify(secret: String, key: (CredentialScope) -> ScopedSigningKey) throws(SignatureMismatch) {
        let stringToSign = Array(policy.utf8)
        let computed =
            switch version {
            case .plain: hmacSHA1(key: Array(secret.utf8), stringToSign).base64
            case .v4(let scope, _): key(scope).signature(of: stringToSign)
            }
        guard constantTimeEquals(computed, signature) else {
            throw SignatureMismatch(canonicalRequest: nil, stringToSign: stringToSign, signatureProvided: signature)
        }
    }
}

extension SignatureV4 {
    /// Returns the signature of a form's policy in base 64, as a client computes it.
    package static func signature(ofPolicy policy: String, secret: String, scope: CredentialScope) -> String {
        ScopedSigningKey(secret: secret, scope: scope).signature(of: Array(policy.utf8))
    }
}

/// Why the signature of a form cannot be read. The face chooses code, status and message.
package enum FormSignatureError: Error, Hashable, Sendable {
    /// A field that the other fields require is missing or empty; its name as S3 spells it.
    case missingField(String)
    /// An algorithm other than ``SignatureV4/algorithm``.
    case unsupportedAlgorithm(String)
    /// A credential that is not `key/date/region/service/aws4_request`, as sent.
    case malformedCredential(String, CredentialFault)
    /// `x-amz-date` is not a time in ISO 8601 basic format, as sent.
    case malformedDate(String)
}
