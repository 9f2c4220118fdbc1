import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Returns the encryption of a new object, from the headers or else from the bucket's default; `nil` if neither specifies one.
    /// (OSS User Guide, "Server-side encryption".)
    /// - Throws: `InvalidEncryptionAlgorithmError`, `InvalidArgument`; `OperationNotSupported` for a default of S3 that OSS lacks.
    func encryption(ofWrite fields: OSSEncryptionFields, in bucket: Bucket) throws(OSSError) -> ObjectEncryption? {
        let (name, keyID) = (fields.method, fields.keyID)
        guard name == "KMS" || keyID == nil else {
            throw .invalidArgument(
                "A key ID is only allowed for the encryption method KMS.", name: "x-oss-server-side-encryption-key-id", value: keyID ?? "")
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
        // The data encryption algorithm only applies to KMS; for other methods it is ignored.
        case "KMS":
            let keyID = keyID ?? bucket.ossKeyID
            switch fields.dataCipher {
            case nil, "AES256": return ObjectEncryption(scheme: .keyService, keyID: keyID)
            case "SM4": return ObjectEncryption(scheme: .keyServiceSM4, keyID: keyID)
            default: throw OSSError(.invalidEncryptionAlgorithmError)
            }
        default: throw OSSError(.invalidEncryptionAlgorithmError)
        }
    }
}

extension ObjectEncryption {
    /// Appends the headers that describe the encryption. Encryptions that only S3 has are omitted.
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
