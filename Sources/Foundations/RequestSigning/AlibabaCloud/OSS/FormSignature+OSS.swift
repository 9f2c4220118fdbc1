import WireFormats

extension FormSignature {
    /// Reads the fields of a form for Alibaba Cloud OSS, in Version 1 or 4. Returns `nil` if none of them belongs to a
    /// signature. (OSS API Reference, "PostObject".)
    /// - Parameter field: returns the value of a field by its name in lowercase.
    package static func ofOSS(_ field: (String) -> String?) throws(FormSignatureError) -> FormSignature? {
        func present(_ name: String) -> String? { field(name.lowercased()).flatMap { $0.isEmpty ? nil : $0 } }
        func require(_ names: [String]) throws(FormSignatureError) -> [String] {
            let values = names.compactMap(present)
            guard values.count == names.count else { throw .missingField(names.first { present($0) == nil } ?? "") }
            return values
        }
        let newer = ["x-oss-signature-version", "x-oss-credential", "x-oss-date", "x-oss-signature"]
        let token = present("x-oss-security-token")
        if newer.contains(where: { field($0) != nil }) {
            let values = try require(["policy"] + newer)
            guard values[1] == OSSSignature.algorithmV4 else { throw .unsupportedAlgorithm(values[1]) }
            guard let moment = Timestamp(basic: values[3]) else { throw .malformedDate(values[3]) }
            let (accessKey, scope) = try ossCredential(values[2], at: moment)
            return FormSignature(
                version: .v4(scope, moment), accessKey: accessKey, policy: values[0], signature: values[4], sessionToken: token)
        } else if field("signature") != nil || field("ossaccesskeyid") != nil {
            let values = try require(["policy", "OSSAccessKeyId", "Signature"])
            return FormSignature(
                version: .plain(.alibabaCloud), accessKey: values[1], policy: values[0], signature: values[2], sessionToken: token)
        }
        return nil
    }

    private static func ossCredential(
        _ text: String, at moment: Timestamp
    ) throws(FormSignatureError) -> (accessKey: String, scope: CredentialScope) {
        do {
            return try OSSSignature.Presented.credential(text, at: moment)
        } catch {
            switch error {
            case .malformedCredential(_, let fault): throw .malformedCredential(text, fault)
            case .credentialDate(let date, _): throw .malformedCredential(text, .date(date))
            default: throw .malformedCredential(text, .parts)
            }
        }
    }
}

extension OSSSignature {
    /// Returns the signature of a text with the secret itself as the key. The text is a string to sign in Version 1, or a form's policy
    /// in base 64. A client computes it, and so does a server on behalf of an app that does not know the secret.
    package static func signature(ofText text: String, secret: String) -> String { SignatureV2.signature(of: text, secret: secret) }
}
