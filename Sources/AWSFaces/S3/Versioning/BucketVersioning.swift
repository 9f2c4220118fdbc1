import Cloud
import Exchange
import WireFormats

extension S3Request {
    private static let versioningLimit = 8 << 10

    /// GetBucketVersioning. A bucket that never kept versions answers an empty document.
    func getBucketVersioning(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketVersioning, on: bucket)
        return answer(root: "VersioningConfiguration") { xml in
            if let status = bucket.configuration.versioning.status { xml.element("Status", status) }
        }
    }

    /// PutBucketVersioning.
    func putBucketVersioning(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketVersioning, on: bucket)
        let body = try await document(upTo: Self.versioningLimit, try declaredBody())
        let versioning = try Versioning(configuration: try xml("VersioningConfiguration", body))
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                // Object Lock needs versions for as long as the bucket lives.
                guard versioning == .enabled || !configuration.hasObjectLock else { throw .locked }
                configuration.versioning = versioning
            }
        } catch ObjectStoreError.locked {
            throw S3Error(
                .invalidBucketState,
                "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.")
        } catch {
            throw S3Error(error, bucket: name)
        }
        return answer()
    }
}

extension Versioning {
    /// As `Status` spells it; nothing for a bucket that never kept versions.
    var status: String? {
        switch self {
        case .never: nil
        case .enabled: "Enabled"
        case .suspended: "Suspended"
        }
    }

    /// Reads the document of PutBucketVersioning.
    /// - Throws: `MalformedXML`, `IllegalVersioningConfigurationException`; `AccessDenied` for deletion that needs
    ///   multi-factor authentication, since no caller here has a device for it.
    fileprivate init(configuration: XMLElement) throws(S3Error) {
        var status: String?
        for child in configuration.children {
            switch child.name {
            case "Status": status = child.text
            case "MfaDelete", "MFADelete":
                switch child.text {
                case "Disabled": break
                case "Enabled": throw S3Error(.accessDenied, "Mfa Authentication must be used for this request")
                default: throw S3Error(.malformedXML)
                }
            default: throw S3Error(.malformedXML)
            }
        }
        switch status {
        case "Enabled": self = .enabled
        case "Suspended": self = .suspended
        case nil: throw S3Error(.illegalVersioningConfiguration)
        default: throw S3Error(.malformedXML)
        }
    }
}
