import Calls
import Federation
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What S3 does with the KMS key of an object on behalf of the caller. The raw value is the action that the caller needs.
/// (S3 User Guide, "Using server-side encryption with AWS KMS keys (SSE-KMS)", "Permissions".)
enum KeyUse: String, Sendable {
    /// An object is written.
    case encrypt = "kms:GenerateDataKey"
    /// An object is read.
    case decrypt = "kms:Decrypt"
}

extension S3Request {
    /// Checks that the KMS key of an object may be used. A key of a forwarded KMS is decided by its policy and the caller's policies.
    /// - Parameters:
    ///   - key: the key of the object.
    ///   - bucket: the bucket of the object.
    func useKey(of encryption: ObjectEncryption?, to use: KeyUse, _ key: String, in bucket: Bucket) async throws(S3Error) {
        guard let keys, let encryption, let name = keys.key(of: encryption, in: bucket) else { return }
        if let found = try await keys.found(name, in: bucket) { try check(use, of: found, encryption, key, in: bucket) }
        try await keys.check(name, in: bucket)
    }

    private func check(
        _ use: KeyUse, of found: ForwardedKey, _ encryption: ObjectEncryption, _ key: String, in bucket: Bucket
    ) throws(S3Error) {
        let region = bucket.regionName
        var conditions: [OperationKey] = [
            (name: "aws:ViaAWSService", value: "true"), (name: "kms:ViaService", value: "s3.\(region).amazonaws.com"),
        ]
        if let account = caller.account { conditions.append((name: "kms:CallerAccount", value: account)) }
        // With a bucket key, the context names the bucket. (S3 User Guide, "Reducing the cost of SSE-KMS with Amazon S3 Bucket Keys".)
        let resource = encryption.usesBucketKey ? "arn:aws:s3:::\(bucket.name)" : "arn:aws:s3:::\(bucket.name)/\(key)"
        var context = encryption.keyContext
        context.append((name: "aws:s3:arn", value: resource))
        for entry in context { conditions.append((name: "kms:EncryptionContext:\(entry.name)", value: entry.value)) }
        let names = context.map { $0.name }
        let verdict = call.authorize(
            caller, use.rawValue, on: found.arn, ownedBy: found.account, resourcePolicy: found.policy, lists: found.grants,
            keys: conditions, region: region, operationKeys: { $0 == "kms:encryptioncontextkeys" ? .many(names) : nil })
        guard let message = verdict.decision.message(for: verdict.context) else { return }
        throw caller.arn == nil ? S3Error(.accessDenied) : S3Error(.accessDenied, message)
    }
}

extension ObjectEncryption {
    /// The members of the encryption context that the client sent, without the one that S3 adds itself.
    fileprivate var keyContext: [OperationKey] {
        guard let context, let bytes = [UInt8](base64: context), let members = (try? JSONValue(parsing: bytes))?.objectValue else {
            return []
        }
        var entries: [OperationKey] = []
        for (name, value) in members.members where name != "aws:s3:arn" {
            if let text = value.stringValue { entries.append((name: name, value: text)) }
        }
        return entries
    }
}
