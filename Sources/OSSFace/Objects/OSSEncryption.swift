import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore

extension OSSRequest {
    /// Returns the encryption of a new object, from the headers or else from the bucket's default; `nil` if neither specifies one.
    /// (OSS User Guide, "Server-side encryption".)
    /// - Throws: `InvalidEncryptionAlgorithmError`, `InvalidArgument`.
    func encryption(ofWrite fields: HTTPFields, in bucket: Bucket) throws(OSSError) -> ObjectEncryption? {
        let keyID = fields.value(of: .ossEncryptionKeyID)
        let dataCipher = fields.value(of: .ossDataEncryption)
        let name = fields.value(of: .ossEncryption)
        guard name == "KMS" || keyID == nil else {
            throw .invalidArgument(
                "A key ID is only allowed for the encryption method KMS.", name: "x-oss-server-side-encryption-key-id", value: keyID ?? "")
        }
        switch name {
        case nil: return ObjectEncryption(ossDefault: try configuration(.ossEncryption, of: bucket), in: bucket)
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        // The data encryption algorithm only applies to KMS; for other methods it is ignored.
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

    /// Rejects encryption headers in requests for parts and completions.
    /// (OSS API Reference, "UploadPart" and "CompleteMultipartUpload": the headers are for InitiateMultipartUpload alone.)
    func refuseEncryption() throws(OSSError) {
        for name in [HTTPField.Name.ossEncryption, .ossEncryptionKeyID, .ossDataEncryption] {
            guard let value = headers.value(of: name) else { continue }
            throw .invalidArgument("The header is not supported here.", name: name.canonicalName, value: value)
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
