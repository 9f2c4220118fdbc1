import Cloud
import Cryptography
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
        switch name {
        case nil: return try defaultEncryption(of: bucket)
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        case "KMS":
            // A data encryption means nothing with the other methods.
            let keyID = keyID ?? Self.standardKeyID(of: bucket.account)
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
        let keyID = rule.child("KMSMasterKeyID")?.text ?? ""
        switch rule.child("SSEAlgorithm")?.text {
        case "AES256": return ObjectEncryption(scheme: .store)
        case "SM4": return ObjectEncryption(scheme: .storeSM4)
        case "KMS":
            let isSM4 = rule.child("KMSDataEncryption")?.text == "SM4"
            return ObjectEncryption(
                scheme: isSM4 ? .keyServiceSM4 : .keyService, keyID: keyID.isEmpty ? Self.standardKeyID(of: bucket.account) : keyID)
        default: return nil
        }
    }

    /// The key that KMS makes for OSS in every account, and that encrypts where nobody names another: a UUID.
    private static func standardKeyID(of account: String) -> String {
        let digits = MD5.hash(Array("acs:kms:oss:\(account)".utf8)).hex
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// Refuses to have a part, or a completion, encrypted otherwise than the upload began.
    /// (OSS API Reference, "UploadPart" and "CompleteMultipartUpload": the headers are for InitiateMultipartUpload alone.)
    func refuseEncryption() throws(OSSError) {
        for name in [HTTPField.Name.ossEncryption, .ossEncryptionKeyID, .ossDataEncryption] {
            guard let value = headers.value(of: name) else { continue }
            throw .invalidArgument("The header is not supported here.", name: name.canonicalName, value: value)
        }
    }

    /// The rule that the headers of PutBucket give the bucket, as PutBucketEncryption would keep it; nothing where there is none.
    /// - Throws: `InvalidEncryptionAlgorithmError`.
    func encryptionRule() throws(OSSError) -> String? {
        guard let algorithm = headers.value(of: .ossEncryption) else { return nil }
        let (key, data) = (headers.value(of: .ossEncryptionKeyID) ?? "", headers.value(of: .ossDataEncryption) ?? "")
        guard ["AES256", "KMS", "SM4"].contains(algorithm), algorithm != "KMS" || ["", "AES256", "SM4"].contains(data) else {
            throw OSSError(.invalidEncryptionAlgorithmError)
        }
        var xml = XMLWriter()
        xml.element(OSSDocumentKind.encryption.root) { xml in
            xml.element("ApplyServerSideEncryptionByDefault") { xml in
                xml.element("SSEAlgorithm", algorithm)
                guard algorithm == "KMS" else { return }
                if !key.isEmpty { xml.element("KMSMasterKeyID", key) }
                if data == "SM4" { xml.element("KMSDataEncryption", data) }
            }
        }
        return String(decoding: xml.bytes, as: UTF8.self)
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
