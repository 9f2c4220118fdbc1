import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// GetBucketVersioning. The document is empty if versioning was never configured.
    func getBucketVersioning(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketVersioning, on: bucket)
        return answer(root: "VersioningConfiguration") { xml in
            if let status = bucket.configuration.versioning.ossStatus { xml.element("Status", status) }
        }
    }

    func putBucketVersioning(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketVersioning, on: bucket)
        let element = try await xmlDocument("VersioningConfiguration", holding: [.init("Status", .oneOf(["Enabled", "Suspended"]))])
        let versioning = element.child("Status")?.text.trimmed == "Enabled" ? Versioning.enabled : .suspended
        if bucket.configuration.documents[.ossWorm] != nil {
            throw OSSError(.invalidBucketState, "Versioning and WORM cannot be enabled at the same time.")
        }
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                // Object retention requires versioning, which cannot be suspended.
                guard versioning == .enabled || !configuration.hasObjectLock else { throw .locked }
                configuration.versioning = versioning
            }
        } catch ObjectStoreError.locked {
            throw OSSError(.invalidBucketState, "The bucket has object WORM, so its versioning cannot be suspended.")
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        return answer()
    }
}

extension Versioning {
    /// The value of `Status`; `nil` if versioning was never configured.
    var ossStatus: String? {
        switch self {
        case .never: nil
        case .enabled: "Enabled"
        case .suspended: "Suspended"
        }
    }
}
