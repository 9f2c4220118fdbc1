import Cloud
import Exchange
import HTTPTypes
import WireFormats

extension OSSRequest {
    /// How a write wants its object encrypted; nothing for what every object has.
    /// (OSS User Guide, "Server-side encryption".)
    /// - Throws: `InvalidEncryptionAlgorithmError`, `InvalidArgument`.
    func encryption(ofWrite fields: HTTPFields, in bucket: Bucket) throws(OSSError) -> ObjectEncryption? {
        let keyID = fields.value(of: .ossEncryptionKeyID)
        let dataCipher = fields.value(of: .ossDataEncryption)
        let name = fields.value(of: .ossEncryption)
        guard name == "KMS" || keyID == nil else {
            throw .invalidArgument(
                "A key ID is for the encryption method KMS alone.", name: "x-oss-server-side-encryption-key-id", value: keyID ?? "")
        }
        guard name == "KMS" || dataCipher == nil else {
            throw .invalidArgument(
                "A data encryption is for the encryption method KMS alone.", name: "x-oss-server-side-data-encryption",
                value: dataCipher ?? "")
        }
        switch name {
        case nil: return try defaultEncryption(of: bucket)
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        case "KMS":
            switch dataCipher {
            case nil, "AES256": return ObjectEncryption(scheme: .keyService, keyID: keyID)
            case "SM4": return ObjectEncryption(scheme: .keyServiceSM4, keyID: keyID)
            default: throw OSSError(.invalidEncryptionAlgorithmError)
            }
        default: throw OSSError(.invalidEncryptionAlgorithmError)
        }
    }

    /// How the bucket has its new objects encrypted.
    private func defaultEncryption(of bucket: Bucket) throws(OSSError) -> ObjectEncryption? {
        guard let rule = try configuration(.ossEncryption, of: bucket)?.child("ApplyServerSideEncryptionByDefault") else { return nil }
        let keyID = rule.child("KMSMasterKeyID").map(\.text)
        switch rule.child("SSEAlgorithm")?.text {
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        case "KMS":
            let isSM4 = rule.child("KMSDataEncryption")?.text == "SM4"
            return ObjectEncryption(scheme: isSM4 ? .keyServiceSM4 : .keyService, keyID: keyID)
        default: return nil
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
