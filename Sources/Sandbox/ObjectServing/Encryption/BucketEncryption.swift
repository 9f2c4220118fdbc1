import Cryptography
package import ObjectStore
package import WireFormats

/// The default encryption of a bucket, and the encryption that it blocks.
/// (S3 API Reference, PutBucketEncryption, "ServerSideEncryptionRule".)
package struct BucketEncryption: Hashable, Sendable {
    /// The scheme of new objects.
    package var scheme = ObjectEncryption.Scheme.store
    /// The key as put; `nil` for the AWS managed key of S3.
    package var keyID: String?
    /// Whether a bucket key reduces calls to the key service.
    package var usesBucketKey = false
    /// Whether customer-provided keys (SSE-C) are rejected for new objects.
    package var blocksCustomerKeys = false

    /// The default of every bucket. (S3 User Guide, "Setting default server-side encryption behavior", January 2023.)
    package static let standard = BucketEncryption()

    /// The default of every bucket since April 2026. (S3 User Guide, "Blocking or unblocking SSE-C for a general purpose bucket".)
    package static let modern = {
        var encryption = BucketEncryption()
        encryption.blocksCustomerKeys = true
        return encryption
    }()

    package init() {}

    /// Returns the encryption of an object whose request does not specify one.
    /// - Parameter region: the region of the request, which is the region of the AWS managed key.
    /// - Returns: `nil` for keys of the store (SSE-S3), which is the default of all buckets.
    package func encryption(in bucket: Bucket, region: String) -> ObjectEncryption? {
        guard scheme.usesKeyService else { return nil }
        return ObjectEncryption(
            scheme: scheme, keyID: bucket.encryptionKey(named: keyID, region: region), usesBucketKey: usesBucketKey && scheme == .keyService
        )
    }
}

extension BucketEncryption {
    /// The name of the document's root element.
    package static let root = "ServerSideEncryptionConfiguration"

    /// Parses ``text``.
    package init(stored text: String) throws(XMLSyntaxError) { self.init(try XMLElement(parsing: Array(text.utf8))) }

    /// Reads a document that conforms to the schema of S3.
    package init(_ document: XMLElement) {
        guard let rule = document.child("Rule") else { return }
        let standard = rule.child("ApplyServerSideEncryptionByDefault")
        scheme = standard?.child("SSEAlgorithm").flatMap { ObjectEncryption.Scheme(named: $0.text.trimmed) } ?? .store
        keyID = standard?.child("KMSMasterKeyID")?.text
        usesBucketKey = rule.child("BucketKeyEnabled")?.text.trimmed == "true"
        blocksCustomerKeys = rule.child("BlockedEncryptionTypes")?.child("EncryptionType")?.text.trimmed == "SSE-C"
    }

    /// The text to store.
    package var text: String {
        var xml = XMLWriter()
        xml.element(Self.root) { encode(into: &$0) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Writes the configuration as S3 returns it.
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
    /// Returns the name of a key in responses. A key ID becomes an ARN; without a name, the AWS managed key of S3 is used. Keys are not
    /// looked up: every name is valid.
    package func encryptionKey(named name: String?, region: String) -> String {
        let identifier = name.flatMap { $0.isEmpty ? nil : $0 } ?? managedKey(region: region)
        guard Self.isUniversallyUnique(identifier) else { return identifier }
        return "arn:aws:kms:\(region):\(account):key/\(identifier)"
    }

    /// Returns the ID of the key `aws/s3`, which depends only on account and region.
    private func managedKey(region: String) -> String {
        let digits = Array(MD5.hash("aws/s3 \(account) \(region)").hex.utf8)
        let groups = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    /// Whether a text has the form of a UUID (RFC 9562 section 4).
    private static func isUniversallyUnique(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}

extension ObjectEncryption? {
    /// Returns the digest for the ETag: the MD5 of the body for keys of the store, otherwise a value from which the MD5 cannot be inferred.
    /// (S3 API Reference, "Object", on `ETag`.) The same body with the same key has the same ETag.
    /// - Parameter md5: the MD5 of the body, 16 bytes.
    package func tagDigest(_ md5: [UInt8]) -> [UInt8] {
        guard let encryption = self, hidesDigest else { return md5 }
        return MD5.hash(md5 + Array((encryption.customerKeyMD5 ?? encryption.keyID ?? "").utf8))
    }

    /// Whether ``tagDigest(_:)`` is not the MD5 of the body.
    package var hidesDigest: Bool { self.map { $0.scheme.usesKeyService || $0.scheme == .customer } ?? false }
}
