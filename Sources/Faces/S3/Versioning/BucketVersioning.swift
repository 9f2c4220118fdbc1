import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let versioningLimit = 8 << 10

    /// GetBucketVersioning. The document is empty if versioning was never configured, and contains `MfaDelete` only if that was put.
    /// (S3 API Reference, GetBucketVersioning.)
    func getBucketVersioning(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketVersioning, on: bucket)
        return answer(root: "VersioningConfiguration") { xml in
            if let status = bucket.configuration.versioning.status { xml.element("Status", status) }
            if let deletion = bucket.configuration.documents[.mfaDelete] { xml.element("MfaDelete", deletion) }
        }
    }

    /// PutBucketVersioning. Object Lock and replication need versions, so they keep versioning from being suspended.
    /// (S3 User Guide, "Replication requirements"; scality/cloudserver#3005.)
    func putBucketVersioning(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketVersioning, on: bucket)
        let body = try await document(upTo: Self.versioningLimit, try declaredBody())
        let asked = try VersioningConfiguration(try xml("VersioningConfiguration", body).holding(VersioningConfiguration.schema))
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                if asked.versioning != .enabled {
                    guard !configuration.hasObjectLock else { throw .locked }
                    guard configuration.documents[.replication] == nil else { throw .preconditionFailed }
                }
                configuration.versioning = asked.versioning
                if let deletion = asked.mfaDelete { configuration.documents[.mfaDelete] = deletion }
            }
        } catch ObjectStoreError.locked {
            throw S3Error(
                .invalidBucketState,
                "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.")
        } catch ObjectStoreError.preconditionFailed {
            throw S3Error(
                .invalidBucketState,
                "A replication configuration is present on this bucket, so you cannot change the versioning state. To change the versioning state, first delete the replication configuration."
            )
        } catch {
            throw S3Error(error, bucket: name)
        }
        return answer()
    }
}

extension Versioning {
    /// The value of `Status`; `nil` if versioning was never configured.
    var status: String? {
        switch self {
        case .never: nil
        case .enabled: "Enabled"
        case .suspended: "Suspended"
        }
    }
}

/// The document of a PutBucketVersioning request.
private struct VersioningConfiguration {
    var versioning: Versioning
    /// `Disabled`; `nil` if it is absent.
    var mfaDelete: String?

    static let schema: [DocumentSchema.Member] = ["Status", "MfaDelete", "MFADelete"].map {
        DocumentSchema.Member($0, .text, .optional)
    }

    /// Reads a document that conforms to the schema.
    /// - Throws: `MalformedXML`, `IllegalVersioningConfigurationException`; `AccessDenied` for enabling MFA delete, which is not supported.
    init(_ configuration: XMLElement) throws(S3Error) {
        mfaDelete = (configuration.child("MfaDelete") ?? configuration.child("MFADelete"))?.text
        switch mfaDelete {
        case "Disabled", nil: break
        case "Enabled": throw S3Error(.accessDenied, "Mfa Authentication must be used for this request")
        default: throw S3Error(.malformedXML)
        }
        switch configuration.child("Status")?.text {
        case "Enabled": versioning = .enabled
        case "Suspended": versioning = .suspended
        case nil: throw S3Error(.illegalVersioningConfiguration)
        default: throw S3Error(.malformedXML)
        }
    }
}
