import Cloud
package import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// A client of the key management service that checks whether keys may be used. No data is encrypted with them.
/// (AWS KMS API Reference, GenerateDataKey.)
package struct KeyService: Sendable {
    private let url: String
    private let send: Outbound

    package init(url: String, send: @escaping Outbound) {
        self.url = url
        self.send = send
    }

    /// Requests a data key under the KMS key of an object, unless that is the AWS managed key of S3.
    /// - Throws: the error of the service as an S3 error; `ServiceUnavailable` if the service does not respond.
    func check(_ encryption: ObjectEncryption?, in bucket: Bucket) async throws(S3Error) {
        let region = bucket.regionName
        guard let encryption, encryption.scheme.usesKeyService, let key = encryption.keyID,
            key != bucket.encryptionKey(named: nil, region: region)
        else { return }
        let body: JSONValue = ["KeyId": .string(key), "KeySpec": "AES_256"]
        let response: OutboundResponse
        do {
            response = try await send(
                OutboundRequest(method: .post, url: url, headers: Self.headers(of: bucket.account, region), body: body.serializedBytes()))
        } catch {
            throw Self.unavailable
        }
        if response.status == 200 { return }
        let refusal = try? JSONValue(parsing: response.body)
        guard response.status == 400, let type = refusal?["__type"]?.stringValue?.split(separator: "#").last else {
            throw Self.unavailable
        }
        var error = S3Error(.badRequest, (refusal?["message"] ?? refusal?["Message"])?.stringValue ?? "")
        error.keyServiceCode = "KMS.\(type)"
        throw error
    }

    /// Whether a text has at most the length of a key ID, ARN or alias. (AWS KMS API Reference, GenerateDataKey, `KeyId`.)
    static func isKeyID(_ text: String) -> Bool { text.utf8.count <= 2048 }

    /// Returns the error of the service for a longer key ID, as S3 reports the errors of that service.
    static func tooLong(_ keyID: String) -> S3Error {
        var error = S3Error(
            .badRequest,
            "1 validation error detected: Value '\(keyID)' at 'keyId' failed to satisfy constraint: Member must have length less than or equal to 2048"
        )
        error.keyServiceCode = "KMS.ValidationException"
        return error
    }

    private static let unavailable = S3Error(.serviceUnavailable, "The key management service did not answer.")

    /// Returns the request headers. Local key services take account and region from the credential scope and do not verify the signature.
    private static func headers(of account: String, _ region: String) -> HTTPFields {
        let scope = "\(account)/20000101/\(region)/kms/aws4_request"
        var headers: HTTPFields = [.contentType: "application/x-amz-json-1.1"]
        headers[.authorization] = "AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=host, Signature=0"
        headers[.target] = "TrentService.GenerateDataKey"
        return headers
    }
}
