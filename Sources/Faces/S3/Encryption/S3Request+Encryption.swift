import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The purpose of a request to an existing encrypted object or upload.
enum EncryptedSubject {
    /// Reads the object.
    case object
    /// Copies the object or a range of it.
    case copySource
    /// Adds a part to an upload.
    case part
    /// Completes an upload without a checksum, which needs no key.
    case completion
    /// Completes an upload with a checksum. The checksum is encrypted like the parts, so the key is required.
    case completionWithChecksum
}

/// The set of encryption headers in a response.
enum EncryptionAnswer {
    /// Scheme and key. For reading an object, uploading a part and posting a form.
    case read
    /// Scheme and key, without the headers of a customer-provided key. For completing an upload.
    case completed
    /// Scheme, key and context. For putting or copying an object and creating an upload.
    case written
}

extension S3Request {
    /// Returns the encryption of a new object, from the headers or else from the bucket's default.
    /// (S3 API Reference, PutObject, `x-amz-server-side-encryption…`.)
    ///
    /// Call it after the permission was checked, because its errors reveal the bucket's settings.
    /// - Returns: `nil` for keys of the store, which are the default of buckets without a configuration.
    /// - Throws: `InvalidArgument`, `InvalidEncryptionAlgorithmError`; `AccessDenied` if the bucket blocks such encryption.
    func encryption(ofWrite fields: EncryptionFields, in bucket: Bucket) throws(S3Error) -> ObjectEncryption? {
        let name = fields.scheme
        if let customerKey = fields.customerKey {
            if let name {
                throw .invalidArgument(
                    "Server Side Encryption with Customer provided key is incompatible with the encryption method specified",
                    name: "x-amz-server-side-encryption", value: name)
            }
            let key = try customerKey.get()
            if try bucketEncryption(of: bucket).blocksCustomerKeys { throw customerKeysBlocked(in: bucket) }
            return try key?.encryption()
        }
        guard let name else {
            try checkKeyServiceHeaders(fields)
            do { return try BucketDefaults(of: bucket).encryption(region: region) } catch { throw S3Error(failure: error) }
        }
        guard let scheme = ObjectEncryption.Scheme(named: name) else {
            throw .invalidArgument(
                "The encryption method specified is not supported", name: "x-amz-server-side-encryption", value: name)
        }
        guard scheme.usesKeyService else {
            try checkKeyServiceHeaders(fields)
            return nil
        }
        try checkKeyServiceSignature()
        if let keyID = fields.keyID, !KeyService.isKeyID(keyID) { throw KeyService.tooLong(keyID) }
        let standard = try bucketEncryption(of: bucket)
        let usesBucketKey = try usesBucketKey(fields) ?? standard.usesBucketKey
        return ObjectEncryption(
            scheme: scheme, keyID: bucket.encryptionKey(named: fields.keyID, region: region),
            context: try encryptionContext(fields),
            usesBucketKey: usesBucketKey && scheme == .keyService)
    }

    /// Checks the encryption headers of a request against the encryption of its object or upload.
    /// - Parameters:
    ///   - encryption: the encryption of the object or upload; `nil` for keys of the store.
    ///   - fields: the headers of the request.
    /// - Throws: `InvalidRequest` for a superfluous or missing key, and for another key than the upload's; `AccessDenied` for another key
    ///   than the object's; `InvalidArgument`, `InvalidEncryptionAlgorithmError`.
    func check(
        _ encryption: ObjectEncryption?, against fields: HTTPFields, _ subject: EncryptedSubject = .object
    ) throws(S3Error) {
        if subject == .object {
            if let value = fields.value(of: .serverSideEncryption) {
                throw .invalidArgument(
                    "x-amz-server-side-encryption header is not supported for this operation.",
                    name: "x-amz-server-side-encryption", value: value)
            }
            if let encryption, encryption.scheme.usesKeyService { try checkKeyServiceSignature() }
        }
        let key = try CustomerKey(
            fields, subject == .copySource ? .copySource : .object, isCompared: dialect == .aws && subject.isReading)
        try check(encryption, against: key, subject)
    }

    /// Checks the key in a request against the encryption of its object or upload.
    /// - Parameters:
    ///   - encryption: `nil` for keys of the store.
    ///   - key: `nil` if the request has none.
    /// - Throws: `InvalidRequest`, `AccessDenied`.
    func check(_ encryption: ObjectEncryption?, against key: CustomerKey?, _ subject: EncryptedSubject) throws(S3Error) {
        guard let encryption, encryption.scheme == .customer else {
            if key != nil { throw S3Error(.invalidRequest, subject.needlessKey) }
            return
        }
        guard let key else {
            if subject == .completion { return }
            throw S3Error(.invalidRequest, subject.missingKey)
        }
        guard key.opens(encryption) else {
            if dialect == .aws, subject.isReading {
                throw S3Error(
                    .accessDenied,
                    "Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.")
            }
            throw S3Error(.invalidRequest, "The provided encryption parameters did not match the ones used originally.")
        }
    }

    /// Appends the headers that describe the encryption of an object or upload.
    /// - Parameter encryption: `nil` for keys of the store.
    func append(_ encryption: ObjectEncryption?, to fields: inout HTTPFields, _ answer: EncryptionAnswer = .read) {
        guard let encryption else {
            fields.append(.encryptedByStore)
            return
        }
        if let name = encryption.scheme.name { fields.append(HTTPField(name: .serverSideEncryption, value: name)) }
        if let keyID = encryption.keyID { fields.append(HTTPField(name: .encryptionKeyID, value: keyID)) }
        if answer == .written, let context = encryption.context {
            fields.append(HTTPField(name: .encryptionContext, value: context))
        }
        if encryption.usesBucketKey { fields.append(HTTPField(name: .encryptionBucketKeyEnabled, value: "true")) }
        if answer == .completed, dialect == .aws { return }
        if let md5 = encryption.customerKeyMD5 {
            fields.append(HTTPField(name: .customerAlgorithm, value: "AES256"))
            fields.append(HTTPField(name: .customerKeyMD5, value: md5))
        }
    }

    private func customerKeysBlocked(in bucket: Bucket) -> S3Error {
        guard let arn = caller.arn else { return S3Error(.accessDenied) }
        return S3Error(
            .accessDenied,
            "User: \(arn) is not authorized to perform: s3:PutObject on resource: \"arn:aws:s3:::\(bucket.name)\" because this bucket has blocked upload requests that specify Server Side Encryption with Customer provided keys (SSE-C). Please specify a different server-side encryption type"
        )
    }

    /// Rejects a request for encryption with the key management service that is anonymous or signed with Version 2.
    /// (catchpoint/WebPageTest#1270 and aws/aws-sdk-js#1147 for writing.)
    private func checkKeyServiceSignature() throws(S3Error) {
        guard authenticated?.version != .v4 else { return }
        throw .invalidArgument(
            "Requests specifying Server Side Encryption with AWS KMS managed keys require AWS Signature Version 4.",
            name: "Authorization", value: "null")
    }

    /// Rejects the headers of key and context without the key management service.
    private func checkKeyServiceHeaders(_ fields: EncryptionFields) throws(S3Error) {
        guard fields.keyID != nil || fields.context != nil else { return }
        throw .invalidArgument(
            "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms",
            name: "x-amz-server-side-encryption", value: fields.scheme ?? "null")
    }

    private func encryptionContext(_ fields: EncryptionFields) throws(S3Error) -> String? {
        guard let text = fields.context else { return nil }
        guard let bytes = [UInt8](base64: text), let map = (try? JSONValue(parsing: bytes))?.objectValue,
            map.members.allSatisfy({ $0.value.stringValue != nil })
        else {
            throw .invalidArgument(
                "The header 'x-amz-server-side-encryption-context' shall be Base64-encoded UTF-8 string holding JSON which represents a string-string map",
                name: "x-amz-server-side-encryption-context", value: text)
        }
        return text
    }

    private func usesBucketKey(_ fields: EncryptionFields) throws(S3Error) -> Bool? {
        guard let text = fields.usesBucketKey else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default:
            throw .invalidArgument(
                "Value for x-amz-server-side-encryption-bucket-key-enabled header is invalid.",
                name: "x-amz-server-side-encryption-bucket-key-enabled", value: text)
        }
    }
}

extension EncryptedSubject {
    /// Whether the request reads the encrypted data.
    fileprivate var isReading: Bool { self == .object || self == .copySource }

    fileprivate var missingKey: String {
        switch self {
        case .object, .copySource:
            "The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object."
        case .part, .completion, .completionWithChecksum: Self.partParameters
        }
    }

    fileprivate var needlessKey: String {
        switch self {
        case .object, .copySource: "The encryption parameters are not applicable to this object."
        case .part, .completion, .completionWithChecksum: Self.partParameters
        }
    }

    private static let partParameters =
        "The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters."
}
