import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let ownershipLimit = 4 << 10

    func getBucketOwnershipControls(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketOwnershipControls, on: bucket)
        guard let ownership = bucket.configuration.ownership else {
            throw S3Error(.ownershipControlsNotFound, nil, ["BucketName": name])
        }
        return answer(root: "OwnershipControls") { xml in
            xml.element("Rule") { xml in xml.element("ObjectOwnership", ownership.rawValue) }
        }
    }

    func putBucketOwnershipControls(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketOwnershipControls, on: bucket)
        let body = try await document(upTo: Self.ownershipLimit, try declaredBody())
        let element = try xml("OwnershipControls", body).holding([.init("Rule", .members([.init("ObjectOwnership", .text)]))])
        guard let ownership = element.child("Rule")?.child("ObjectOwnership").flatMap({ ObjectOwnership(rawValue: $0.text) }) else {
            throw S3Error(.malformedXML)
        }
        // ACLs cannot be disabled while the bucket's ACL has grants for other grantees than the owner.
        // (S3 User Guide, "Prerequisites for disabling ACLs".)
        guard ownership != .bucketOwnerEnforced || bucket.configuration.accessControl == nil || bucket.ignoresLists else {
            throw S3Error(.invalidBucketACL)
        }
        try await configure(bucket) { $0.ownership = ownership }
        return answer(.ok)
    }

    /// DeleteBucketOwnershipControls. Succeeds even if there are no controls.
    func deleteBucketOwnershipControls(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketOwnershipControls, on: bucket)
        try await configure(bucket) { $0.ownership = nil }
        return answer(.noContent)
    }
}
