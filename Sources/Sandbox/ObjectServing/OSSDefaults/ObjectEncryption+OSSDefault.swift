import Cryptography
package import ObjectStore
package import WireFormats

extension ObjectEncryption {
    /// Creates the encryption of a new object from the default of its bucket in OSS.
    /// (OSS API Reference, "PutBucketEncryption".)
    /// - Parameter configuration: the configuration of the bucket, if any.
    /// - Returns: `nil` without a configuration, or if it specifies no encryption.
    package init?(ossDefault configuration: XMLElement?, in bucket: Bucket) {
        guard let rule = configuration?.child("ApplyServerSideEncryptionByDefault") else { return nil }
        switch rule.child("SSEAlgorithm")?.text {
        case "AES256": self.init(scheme: .store)
        case "SM4": self.init(scheme: .storeSM4)
        case "KMS":
            let keyID = rule.child("KMSMasterKeyID").flatMap { $0.text.isEmpty ? nil : $0.text } ?? bucket.ossKeyID
            self.init(scheme: rule.child("KMSDataEncryption")?.text == "SM4" ? .keyServiceSM4 : .keyService, keyID: keyID)
        default: return nil
        }
    }
}

extension Bucket {
    /// The ARN of the default KMS key of OSS in the bucket's account and region, for objects without a key ID.
    /// (OSS User Guide, "Server-side encryption": the default customer master key.)
    package var ossKeyID: String {
        let digits = MD5.hash(Array("oss:\(region):\(account)".utf8)).hex
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }
}
