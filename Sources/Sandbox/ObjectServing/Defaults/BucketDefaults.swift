package import ObjectStore
import Policy
package import WireFormats

/// A bucket's defaults for new objects whose request does not specify them: storage class, encryption and retention.
///
/// The configuration that was put with the service of the owner's cloud applies to every write. If there is none, the configuration of the
/// other cloud applies, if its service shows the bucket too.
package struct BucketDefaults: Sendable {
    /// The bucket as the cloud of its owner shows it.
    private let owned: Bucket
    /// The bucket as the other cloud shows it; `nil` if it does not.
    private let shared: Bucket?

    /// - Parameter bucket: the bucket as visible in any service.
    package init(of bucket: Bucket) {
        owned = bucket.shownToOwner
        shared = owned.isShared ? owned.shown(by: Vendor(account: owned.account) == .aws ? .alibaba : .aws) : nil
    }

    /// Whether entity tags of objects under a key of the key management service hide the MD5 of the content, as they do at S3.
    package var hidesDigests: Bool { Vendor(account: owned.account) == .aws }

    /// The storage class; `nil` if there is no configuration. Only OSS has one.
    package var storageClass: StorageClass? {
        Self.storageClass(of: owned) ?? shared.flatMap(Self.storageClass(of:))
    }

    private static func storageClass(of view: Bucket) -> StorageClass? {
        guard view.configuration.documents[.ossStorageClass] != nil, Vendor(account: view.account) == .alibaba else { return nil }
        return OSSStorageClass(of: view).stored.flatMap { StorageClass(rawValue: $0) } ?? .standard
    }

    /// The encryption; `nil` for keys of the store.
    /// - Parameter region: the region of S3's own key; `nil` for the bucket's region.
    /// - Throws: an error if a configuration cannot be parsed.
    package func encryption(region: String? = nil) throws(XMLSyntaxError) -> ObjectEncryption? {
        if let encryption = try Self.encryption(of: owned, region: region) { return encryption }
        guard let shared, let encryption = try Self.encryption(of: shared, region: region) else { return nil }
        return encryption
    }

    /// Returns the encryption that a cloud configures, which may be keys of the store; `nil` if it configures none.
    private static func encryption(of view: Bucket, region: String?) throws(XMLSyntaxError) -> ObjectEncryption?? {
        switch Vendor(account: view.account) {
        case .aws:
            let encryption = try view.parsed(.encryption) { text throws(XMLSyntaxError) in try BucketEncryption(stored: text) }
            guard let encryption else { return nil }
            return .some(encryption.encryption(in: view, region: region ?? view.regionName))
        case .alibaba:
            guard let rule = try element(.ossEncryption, of: view) else { return nil }
            return .some(ObjectEncryption(ossDefault: rule, in: view))
        }
    }

    /// Returns the retention of an object that is created now; `nil` for none, and for buckets without Object Lock.
    /// - Throws: an error if a configuration cannot be parsed.
    package func retention(from now: Timestamp) throws(XMLSyntaxError) -> ObjectLock.Retention? {
        guard owned.configuration.hasObjectLock else { return nil }
        if let retention = try Self.retention(of: owned, from: now) { return retention }
        guard let shared else { return nil }
        return try Self.retention(of: shared, from: now)
    }

    private static func retention(of view: Bucket, from now: Timestamp) throws(XMLSyntaxError) -> ObjectLock.Retention? {
        switch Vendor(account: view.account) {
        case .aws: view.defaultRetention?.retention(from: now)
        case .alibaba: DefaultRetention(oss: try element(.ossObjectWorm, of: view))?.retention(from: now)
        }
    }

    private static func element(_ document: BucketDocument, of bucket: Bucket) throws(XMLSyntaxError) -> XMLElement? {
        try bucket.parsed(document) { text throws(XMLSyntaxError) in try XMLElement(parsing: Array(text.utf8)) }
    }
}
