import Cloud
package import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
package import WireFormats

/// A client of the key management service that checks whether keys may be used. No data is encrypted with them.
/// (AWS KMS API Reference, GenerateDataKey.)
package struct KeyService: Sendable {
    /// Calls GenerateDataKey.
    package typealias Ask = @Sendable (_ document: JSONValue, _ account: String, _ region: String) async throws -> OutboundResponse

    /// Finds a key by its name, where a name without an ARN is in an account and a region; `nil` if it does not exist.
    package typealias Find = @Sendable (_ name: String, _ account: String, _ region: String) async throws -> ForwardedKey?

    private let ask: Ask
    /// Finds keys whose policies decide; `nil` if no policies are evaluated.
    private let find: Find?

    /// Creates the client of a service that evaluates no policies.
    /// - Parameter url: the URL of the service.
    package init(url: String, send: @escaping Outbound) {
        find = nil
        ask = { document, account, region in
            try await send(
                OutboundRequest(
                    method: .post, url: url, headers: Self.headers(of: account, region), body: document.serializedBytes()))
        }
    }

    /// Creates the client of a service whose keys have policies.
    package init(ask: @escaping Ask, find: @escaping Find) {
        self.ask = ask
        self.find = find
    }

    /// Returns the name of the KMS key of an object; `nil` if it has none, or that is the AWS managed key of S3.
    func key(of encryption: ObjectEncryption, in bucket: Bucket) -> String? {
        guard encryption.scheme.usesKeyService, let key = encryption.keyID,
            key != bucket.encryptionKey(named: nil, region: bucket.regionName)
        else { return nil }
        return key
    }

    /// Returns a key whose policy decides; `nil` if it does not exist, or no policies are evaluated.
    /// - Throws: `ServiceUnavailable` if the service does not respond.
    func found(_ key: String, in bucket: Bucket) async throws(S3Error) -> ForwardedKey? {
        guard let find else { return nil }
        do {
            return try await find(key, bucket.account, bucket.regionName)
        } catch {
            throw Self.unavailable
        }
    }

    /// Requests a data key under a KMS key.
    /// - Throws: the error of the service as an S3 error; `ServiceUnavailable` if the service does not respond.
    func check(_ key: String, in bucket: Bucket) async throws(S3Error) {
        // A service with policies keeps accounts apart.
        let fields = key.split(separator: ":", omittingEmptySubsequences: false)
        let owner = find != nil && fields.count > 5 && fields[0] == "arn" ? String(fields[4]) : bucket.account
        let response: OutboundResponse
        do {
            response = try await ask(["KeyId": .string(key), "KeySpec": "AES_256"], owner, bucket.regionName)
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
