import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore

extension OSSRequest {
    /// How a write wants its object encrypted; `nil` for what every object has.
    /// (OSS User Guide, "Server-side encryption".)
    /// - Throws: `InvalidEncryptionAlgorithmError`, `InvalidArgument`; `OperationNotSupported` for a default of S3 that OSS lacks.
    func encryption(ofWrite fields: HTTPFields, in bucket: Bucket) throws(OSSError) -> ObjectEncryption? {
        let keyID = fields.value(of: .ossEncryptionKeyID)
        let dataCipher = fields.value(of: .ossDataEncryption)
        let name = fields.value(of: .ossEncryption)
        guard name == "KMS" || keyID == nil else {
            throw .invalidArgument(
                "A key ID is for the encryption method KMS alone.", name: "x-oss-server-side-encryption-key-id", value: keyID ?? "")
        }
        switch name {
        case nil:
            let encryption: ObjectEncryption?
            do { encryption = try BucketDefaults(of: bucket).encryption() } catch { throw OSSError(failure: error) }
            guard encryption?.scheme != .keyServiceTwice else {
                throw OSSError(
                    .operationNotSupported, "The bucket encrypts new objects with aws:kms:dsse by default, which OSS does not support.")
            }
            return encryption
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        // What encrypts the data is asked of the key service alone; the other methods pass over it.
        case "KMS":
            let keyID = keyID ?? bucket.ossKeyID
            switch dataCipher {
            case nil, "AES256": return ObjectEncryption(scheme: .keyService, keyID: keyID)
            case "SM4": return ObjectEncryption(scheme: .keyServiceSM4, keyID: keyID)
            default: throw OSSError(.invalidEncryptionAlgorithmError)
            }
        default: throw OSSError(.invalidEncryptionAlgorithmError)
        }
    }

    /// Refuses to have a part, or a completion, encrypted otherwise than the upload began.
    /// (OSS API Reference, "UploadPart" and "CompleteMultipartUpload": the headers are for InitiateMultipartUpload alone.)
    func refuseEncryption() throws(OSSError) {
        for name in [HTTPField.Name.ossEncryption, .ossEncryptionKeyID, .ossDataEncryption] {
            guard let value = headers.value(of: name) else { continue }
            throw .invalidArgument("The header is not supported here.", name: name.canonicalName, value: value)
        }
    }
}

extension ObjectEncryption {
    /// Appends the headers that tell of it. Objects of S3's door may be encrypted in ways that OSS does not have, and go without.
    func append(ossTo fields: inout HTTPFields) {
        switch scheme {
        case .store: fields.append(HTTPField(name: .ossEncryption, value: "AES256"))
        case .storeSM4: fields.append(HTTPField(name: .ossEncryption, value: "SM4"))
        case .keyService, .keyServiceSM4:
            fields.append(HTTPField(name: .ossEncryption, value: "KMS"))
            if scheme == .keyServiceSM4 { fields.append(HTTPField(name: .ossDataEncryption, value: "SM4")) }
            if let keyID { fields.append(HTTPField(name: .ossEncryptionKeyID, value: keyID)) }
        case .keyServiceTwice, .customer: break
        }
    }
}
