package import ObjectStore
import Policy
package import WireFormats

/// What a bucket gives to a new object whose writer does not choose it: storage class, encryption, and retention.
///
/// The configuration of the cloud that the bucket's owner belongs to decides, whichever door the write comes through. Where the owner's cloud
/// has no such configuration, that of the other cloud applies, if it shows the bucket too.
package struct BucketDefaults: Sendable {
    /// The bucket as each cloud shows it; the owner's first.
    private let views: [Bucket]

    /// - Parameter bucket: as any door shows it.
    package init(of bucket: Bucket) {
        let owned = bucket.shownToOwner
        let partner: Vendor = Vendor(account: owned.account) == .aws ? .alibaba : .aws
        views = if let shared = owned.shown(by: partner) { [owned, shared] } else { [owned] }
    }

    /// Whether entity tags of objects under a key of the key management service hide the MD5 of the content, as they do at S3.
    package var hidesDigests: Bool { Vendor(account: views[0].account) == .aws }

    /// The storage class; `nil` where the configuration names none. Only OSS has such a configuration.
    package var storageClass: StorageClass? {
        for view in views where Vendor(account: view.account) == .alibaba {
            guard view.configuration.documents[.ossStorageClass] != nil else { continue }
            return OSSStorageClass(of: view).stored.flatMap { StorageClass(rawValue: $0) } ?? .standard
        }
        return nil
    }

    /// The encryption; `nil` for keys of the store.
    /// - Parameter region: where S3's own key lies; `nil` for the bucket's region.
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

    /// The retention; `nil` for none, which is all that buckets without Object Lock have.
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
