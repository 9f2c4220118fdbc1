import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    private static let objectEncryptionLimit = 64 << 10

    /// UpdateObjectEncryption. Replaces the KMS key of an existing object; everything else, including its ETag, is unchanged.
    /// (S3 API Reference, UpdateObjectEncryption.)
    func updateObjectEncryption(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let record = try addressedObject(address, in: bucket, .updateObjectEncryption)
        guard authenticated?.version == .v4 else {
            throw S3Error(
                .invalidRequest,
                "Requests that modify an object encryption configuration require AWS Signature Version 4. Modify the request to use AWS Signature Version 4, and then try again."
            )
        }
        let body = try await document(upTo: Self.objectEncryptionLimit, try declaredBody())
        let wanted = try encryption(updating: try xml("ObjectEncryption", body), in: bucket)
        switch record.properties.encryption?.scheme {
        case nil, .store, .keyService: break
        case .keyServiceTwice, .customer, .storeSM4, .keyServiceSM4:
            throw S3Error(
                .invalidRequest,
                "The UpdateObjectEncryption operation doesn't support source objects with the encryption type DSSE-KMS or SSE-C. Only source objects encrypted with SSE-S3 or SSE-KMS are supported."
            )
        }
        guard !isLocked(record.properties.lock) else {
            throw S3Error(
                .accessDenied,
                "The encryption type for the specified object can\u{2019}t be updated because that object is protected by S3 Object Lock. If the object has a governance-mode retention period or a legal hold, you must first remove the Object Lock status on the object before you issue your UpdateObjectEncryption request. You can't use the UpdateObjectEncryption operation with objects that have an Object Lock compliance mode retention period applied to them."
            )
        }
        try await change(address, in: bucket) { record throws(ObjectStoreError) in record.properties.encryption = wanted }
        return answer(.ok)
    }

    private func isLocked(_ lock: ObjectLock) -> Bool {
        if lock.legalHold == true { return true }
        return lock.retention.map { !clock.hasExpired($0.until, issuedAt: $0.declared) } ?? false
    }

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidRequest`; `AccessDenied` for a key of another account.
    private func encryption(updating element: XMLElement, in bucket: Bucket) throws(S3Error) -> ObjectEncryption {
        guard let keys = try element.optional("SSE-KMS"), element.children.count == 1 else {
            let other = element.children.first?.name
            guard other == "SSE-C" || other == "DSSE-KMS" else {
                throw S3Error(
                    .invalidRequest,
                    "Requests that modify an object encryption configuration require a valid new encryption type. Valid values are SSEKMS. Modify the request to specify SSE-KMS for the updated encryption type, and then try again."
                )
            }
            throw S3Error(
                .invalidRequest,
                "The UpdateObjectEncryption operation doesn't support updating the encryption type to DSSE-KMS or SSE-C. Modify the request to specify SSE-KMS for the updated encryption type, and then try again."
            )
        }
        try keys.allow(only: ["KMSKeyArn", "BucketKeyEnabled"])
        guard let arn = try keys.text(of: "KMSKeyArn"), !arn.isEmpty else {
            throw S3Error(
                .invalidRequest,
                "Requests that modify an object's encryption type to SSE-KMS require an AWS KMS key Amazon Resource Name (ARN). Modify the request to specify a KMS key ARN, and then try again."
            )
        }
        let fields = arn.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn", fields[2] == "kms", !fields[3].isEmpty, fields[4].utf8.count == 12,
            fields[5].hasPrefix("key/"), fields[5].utf8.count > 4, KeyService.isKeyID(arn)
        else {
            throw S3Error(
                .invalidRequest,
                "Requests that modify an object's encryption type to SSE-KMS require a valid AWS KMS key Amazon Resource Name (ARN). Confirm that you have a correctly formatted KMS key ARN in your request, and then try again."
            )
        }
        guard fields[4] == bucket.account else {
            throw S3Error(
                .accessDenied,
                "The AWS KMS key in the request must be owned by the same account as the bucket. Modify the request to specify a KMS key from the same account, and then try again."
            )
        }
        let usesBucketKey: Bool
        switch try keys.text(of: "BucketKeyEnabled") {
        case nil, "false": usesBucketKey = false
        case "true": usesBucketKey = true
        default:
            throw S3Error(
                .invalidRequest,
                "The BucketKeyEnabled value isn't valid. Valid values are true or false. Modify the request to specify a valid value, and then try again."
            )
        }
        return ObjectEncryption(scheme: .keyService, keyID: arn, usesBucketKey: usesBucketKey)
    }
}
