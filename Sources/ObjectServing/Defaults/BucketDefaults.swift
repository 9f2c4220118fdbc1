package import ObjectStore
import Policy
package import WireFormats

/// A bucket's defaults for new objects whose request does not specify them: storage class, encryption and retention.
///
/// The configuration that was put with the service of the owner's cloud applies to every write. If there is none, the configuration of the
/// other cloud applies, if its service shows the bucket too.
package struct BucketDefaults: Sendable {
    /// The bucket as visible in each cloud, the owner's first.
    private let views: [Bucket]

    /// - Parameter bucket: the bucket as visible in any service.
    package init(of bucket: Bucket) {
        let owned = bucket.shownToOwner
        let partner: Vendor = Vendor(account: owned.account) == .aws ? .alibaba : .aws
        views = if let shared = owned.shown(by: partner) { [owned, shared] } else { [owned] }
    }

    /// Whether entity tags of objects under a key of the key management service hide the MD5 of the content, as they do at S3.
    package var hidesDigests: Bool { Vendor(account: views[0].account) == .aws }

    /// The storage class; `nil` if there is no configuration. Only OSS has one.
    package var storageClass: StorageClass? {
        for view in views where Vendor(account: view.account) == .alibaba {
            guard view.configuration.documents[.ossStorageClass] != nil else { continue }
            return OSSStorageClass(of: view).stored.flatMap { StorageClass(rawValue: $0) } ?? .standard
        }
        return nil
    }

    /// The encryption; `nil` for keys of the store.
    /// - Parameter region: the region of S3's own key; `nil` for the bucket's region.
    /// - Throws: an error if a configuration cannot be parsed.
    package func encryption(region: String? = nil) throws(XMLSyntaxError) -> ObjectEncryption? {
        for view in views {
            switch Vendor(account: view.account) {
            case .aws:
                let encryption = try view.parsed(.encryption) { text throws(XMLSyntaxError) in try BucketEncryption(stored: text) }
                guard let encryption else { continue }
                return encryption.encryption(in: view, region: region ?? view.regionName)
            case .alibaba:
                guard let rule = try Self.element(.ossEncryption, of: view) else { continue }
                return ObjectEncryption(ossDefault: rule, in: view)
            }
        }
        return nil
    }

    /// Returns the retention of an object that is created now; `nil` for none, and for buckets without Object Lock.
    /// - Throws: an error if a configuration cannot be parsed.
    package func retention(from now: Timestamp) throws(XMLSyntaxError) -> ObjectLock.Retention? {
        guard views[0].configuration.hasObjectLock else { return nil }
        for view in views {
            switch Vendor(account: view.account) {
            case .aws:
                if let retention = view.defaultRetention { return retention.retention(from: now) }
            case .alibaba:
                let configuration = try Self.element(.ossObjectWorm, of: view)
                if let retention = ObjectLock.Retention(ossDefault: configuration, from: now) { return retention }
            }
        }
        return nil
    }

    private static func element(_ document: BucketDocument, of bucket: Bucket) throws(XMLSyntaxError) -> XMLElement? {
        try bucket.parsed(document) { text throws(XMLSyntaxError) in try XMLElement(parsing: Array(text.utf8)) }
    }
}
