import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// A parsed and authenticated S3 request. Its operations are in extensions, one file for each group.
///
/// It is a class because it is large and every operation passes it on.
final class S3Request: Sendable {
    let call: Call
    /// The decoded query.
    let query: FormFields
    /// The header fields. They include those in the query of a presigned request; for a form they are its fields.
    let headers: HTTPFields
    /// The verified signature; `nil` for an anonymous request.
    let authenticated: Authenticated?
    let bucketRules: BucketRulesCache<BucketAccess>
    /// Sends bucket notifications.
    let events: EventOutbox
    let dialect: Dialect
    let regions: RegionCheck
    /// Checks the KMS keys of objects; `nil` if every key name is valid.
    let keys: KeyService?
    /// The caller and condition keys of a query about access decisions; `nil` for an actual request.
    let assumption: AccessAssumption?

    init(
        call: Call, query: FormFields, headers: HTTPFields, authenticated: Authenticated?,
        bucketRules: BucketRulesCache<BucketAccess>,
        events: EventOutbox, dialect: Dialect, regions: RegionCheck, keys: KeyService? = nil, assumption: AccessAssumption? = nil
    ) {
        self.call = call
        self.query = query
        self.headers = headers
        self.keys = keys
        self.authenticated = authenticated
        self.bucketRules = bucketRules
        self.events = events
        self.dialect = dialect
        self.regions = regions
        self.assumption = assumption
    }

    var caller: Caller { authenticated?.caller ?? assumption?.caller ?? .anonymous }
    /// Whether listings contain the owners of objects: anonymous callers do not see them.
    var showsOwners: Bool { caller.account != nil }
    var objects: ObjectStore { call.cloud.objects }
    var clock: SandboxClock { call.cloud.clock }

    /// The region that the request is signed for; us-east-1 if it has none.
    var region: String {
        guard let region = authenticated?.region, !region.isEmpty else { return "us-east-1" }
        return region
    }

    /// Returns the bucket with this name.
    /// - Throws: `NoSuchBucket`; `AccessDenied` if the client expects another owner.
    func bucket(_ name: String) throws(S3Error) -> Bucket {
        guard let bucket = objects.bucket(named: name, for: .aws) else { throw .noSuchBucket(name) }
        regions.note(authenticated?.region, for: bucket)
        try check(headers.value(of: .expectedBucketOwner), owns: bucket)
        return bucket
    }

    /// Rejects a bucket that does not belong to the account that the client expects.
    /// (S3 User Guide, "Verifying bucket ownership with bucket owner condition".)
    func check(_ expectedOwner: String?, owns bucket: Bucket) throws(S3Error) {
        guard let expectedOwner else { return }
        guard expectedOwner.utf8.count == 12, expectedOwner.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            if dialect == .ceph { throw S3Error(.accessDenied) }
            throw S3Error(
                .invalidBucketOwner,
                "The value of the expected bucket owner parameter must be an AWS Account ID... [\(expectedOwner)]")
        }
        guard expectedOwner == bucket.account else { throw S3Error(.accessDenied) }
    }

    /// Rejects anonymous callers, regardless of the bucket's permissions.
    func refuseAnonymous(_ message: String) throws(S3Error) {
        if dialect == .aws, case .anonymous = caller { throw S3Error(.accessDenied, message) }
    }

    /// Returns the object through which the request changes objects of a bucket.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: caller, call, events: events) }

    /// Returns a response with the headers that every response of S3 has.
    /// - Parameter fields: further headers, in order.
    func answer(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:]) -> Response {
        Response(status: status, headers: call.s3Headers(and: fields))
    }

    /// Returns a response with an XML document.
    /// - Parameter capacity: the approximate size of the document in bytes.
    func answer(
        _ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], root: String, capacity: Int = 1024,
        _ content: (inout XMLWriter) -> Void
    ) -> Response {
        Response(
            status: status, headers: call.s3Headers(and: fields), root: root, namespace: S3Face.namespace, capacity: capacity, content)
    }
}

extension Call {
    /// Returns the headers that every response of S3 has. (S3 API Reference, "Common response headers".)
    /// - Parameter further: the headers that follow them, in order.
    func s3Headers(and further: HTTPFields = HTTPFields()) -> HTTPFields {
        var headers = HTTPFields()
        headers.reserveCapacity(12)
        headers.append(HTTPField(name: .s3HostID, value: id.hostID))
        headers.append(HTTPField(name: .s3RequestID, value: id.text))
        headers.append(.amazonS3)
        for field in further { headers.append(field) }
        return headers
    }
}

/// Fields that are the same in every response. Made once: making one checks each character of the value.
extension HTTPField {
    fileprivate static let amazonS3 = HTTPField(name: .server, value: "AmazonS3")
    static let acceptsByteRanges = HTTPField(name: .acceptRanges, value: "bytes")
    static let encryptedByStore = HTTPField(name: .serverSideEncryption, value: "AES256")
}
