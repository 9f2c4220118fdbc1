import Cryptography
package import ObjectStore
package import WireFormats

extension ObjectEncryption {
    /// How a bucket of OSS has a new object encrypted whose writer says nothing of it.
    /// (OSS API Reference, "PutBucketEncryption".)
    /// - Parameter configuration: the bucket's; nothing, or one that asks for nothing, makes nothing of it.
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
    /// The key that the key service keeps for OSS in the bucket's account and region, for objects that name none.
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
