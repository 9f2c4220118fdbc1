import HTTPTypes
import WireFormats

extension HTTPFields {
    /// Adds the header fields that a presigned request carries in its query. The SDKs put `x-amz-…` headers and conditions
    /// there, so that whoever has the URL need not send them; a field that is sent as well wins.
    /// (S3 API Reference, "Authenticating requests: using query parameters".)
    mutating func append(presignedIn query: FormFields) {
        let isPresigned = query.fields.contains { $0.name == "X-Amz-Signature" || $0.name == "Signature" }
        guard isPresigned else { return }
        for field in query.fields where field.name.utf8.count > 6 {
            let name = field.name.lowercased()
            guard name.hasPrefix("x-amz-") && !signing.contains(name) && !name.hasPrefix("x-amz-checksum-") || conditions.contains(name),
                let name = HTTPField.Name(name), !contains(name), HTTPField.isValidValue(field.value)
            else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}

/// Conditions, which the signers of some SDKs put there as well.
private let conditions: Set = ["if-match", "if-none-match"]

/// Parameters of the signature itself, and what an SDK knew of the body when it signed: nothing, so that S3 ignores it.
private let signing: Set = [
    "x-amz-algorithm", "x-amz-content-sha256", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-sdk-checksum-algorithm",
    "x-amz-security-token", "x-amz-signature", "x-amz-signedheaders", "x-amz-trailer", "x-amz-user-agent",
]
