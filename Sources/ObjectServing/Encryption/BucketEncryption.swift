import Cryptography
package import ObjectStore
package import WireFormats

/// How a bucket encrypts what says nothing of encryption itself, and which encryption it takes.
/// (S3 API Reference, PutBucketEncryption, "ServerSideEncryptionRule".)
package struct BucketEncryption: Hashable, Sendable {
    /// How new objects are encrypted.
    package var scheme = ObjectEncryption.Scheme.store
    /// As the owner gave it; `nil` for the key that the service keeps for S3.
    package var keyID: String?
    /// Whether a key of the bucket saves calls to the key service.
    package var usesBucketKey = false
    /// Whether new objects may not be encrypted with keys of the client.
    package var blocksCustomerKeys = false

    /// What every bucket has. (S3 User Guide, "Setting default server-side encryption behavior", January 2023.)
    package static let standard = BucketEncryption()

    /// What every bucket has today. (S3 User Guide, "Blocking or unblocking SSE-C for a general purpose bucket", April 2026.)
    package static let modern = {
        var encryption = BucketEncryption()
        encryption.blocksCustomerKeys = true
        return encryption
    }()

    package init() {}

    /// How an object is encrypted whose writer says nothing of it.
    /// - Parameter region: that the write is for, where the key lies that the service keeps for S3.
    /// - Returns: nothing for keys of the store, which all buckets have unless they say otherwise.
    package func encryption(in bucket: Bucket, region: String) -> ObjectEncryption? {
        guard scheme.usesKeyService else { return nil }
        return ObjectEncryption(
            scheme: scheme, keyID: bucket.encryptionKey(named: keyID, region: region), usesBucketKey: usesBucketKey && scheme == .keyService
        )
    }
}

extension BucketEncryption {
    /// The element that documents of this kind have at their root.
    package static let root = "ServerSideEncryptionConfiguration"

    /// Reads what ``text`` has written.
    package init(stored text: String) throws(XMLSyntaxError) {
        guard let rule = try XMLElement(parsing: Array(text.utf8)).child("Rule") else { return }
        let standard = rule.child("ApplyServerSideEncryptionByDefault")
        scheme = standard?.child("SSEAlgorithm").flatMap { ObjectEncryption.Scheme(named: $0.text) } ?? .store
        keyID = standard?.child("KMSMasterKeyID")?.text
        usesBucketKey = rule.child("BucketKeyEnabled")?.text == "true"
        blocksCustomerKeys = rule.child("BlockedEncryptionTypes")?.child("EncryptionType")?.text == "SSE-C"
    }

    /// What the store keeps.
    package var text: String {
        var xml = XMLWriter()
        xml.element(Self.root) { encode(into: &$0) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Writes the configuration as S3 answers it.
    package func encode(into xml: inout XMLWriter) {
        xml.element("Rule") { xml in
            xml.element("ApplyServerSideEncryptionByDefault") { xml in
                xml.element("SSEAlgorithm", scheme.name ?? "")
                if let keyID { xml.element("KMSMasterKeyID", keyID) }
            }
            xml.element("BucketKeyEnabled", usesBucketKey)
            xml.element("BlockedEncryptionTypes") { xml in
                xml.element("EncryptionType", blocksCustomerKeys ? "SSE-C" : "NONE")
            }
        }
    }
}

extension Bucket {
    /// A key as answers name it: an identifier alone becomes the ARN of the key, and no name that of the key which the
    /// service keeps for S3 in every account. Keys are not looked up: any name is one.
    package func encryptionKey(named name: String?, region: String) -> String {
        let identifier = name.flatMap { $0.isEmpty ? nil : $0 } ?? managedKey(region: region)
        guard Self.isUniversallyUnique(identifier) else { return identifier }
        return "arn:aws:kms:\(region):\(account):key/\(identifier)"
    }

    /// The identifier of the key `aws/s3`, the same whenever it is asked for.
    private func managedKey(region: String) -> String {
        let digits = Array(MD5.hash("aws/s3 \(account) \(region)").hex.utf8)
        let groups = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    /// Whether a text has the form of RFC 9562 section 4.
    private static func isUniversallyUnique(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}

extension ObjectEncryption? {
    /// What an entity tag is made of: the MD5 of the body where keys of the store encrypt it, and nothing that tells of the
    /// body otherwise. (S3 API Reference, "Object", on `ETag`.) The same body under the same key has the same tag.
    /// - Parameter md5: of the body, 16 bytes.
    package func tagDigest(_ md5: [UInt8]) -> [UInt8] {
        guard let encryption = self, hidesDigest else { return md5 }
        return MD5.hash(md5 + Array((encryption.customerKeyMD5 ?? encryption.keyID ?? "").utf8))
    }

    /// Whether ``tagDigest(_:)`` is not the MD5 of the body.
    package var hidesDigest: Bool { self.map { $0.scheme.usesKeyService || $0.scheme == .customer } ?? false }
}
