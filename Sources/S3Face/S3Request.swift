import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// A request to S3 that has been parsed and authenticated. Its operations stand in extensions, one file for each group.
///
/// By reference: it is as large as all that was presented, and every operation hands it on.
final class S3Request: Sendable {
    let call: Call
    /// Decoded.
    let query: FormFields
    /// The header fields; of a presigned request also those in its query, and of a form its fields in their place.
    let headers: HTTPFields
    /// The signature, verified; `nil` for an anonymous request.
    let authenticated: Authenticated?
    let bucketRules: BucketRulesCache<BucketAccess>
    /// Takes what others are told of.
    let events: EventOutbox
    let dialect: Dialect
    let regions: RegionCheck
    /// Asked about keys of objects; `nil` if any name is a key.
    let keys: KeyService?
    /// In whose place, and with which condition keys, somebody asks what would be decided; `nil` for a request that is one.
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
    /// Whether listings name the owners of objects: anonymous callers do not learn them.
    var learnsOwners: Bool { caller.account != nil }
    var objects: ObjectStore { call.cloud.objects }
    var clock: SandboxClock { call.cloud.clock }

    /// The region that the request is signed for; the first one of AWS where it says none.
    var region: String {
        guard let region = authenticated?.region, !region.isEmpty else { return "us-east-1" }
        return region
    }

    /// The bucket of this name.
    /// - Throws: `NoSuchBucket`; `AccessDenied` where the client expects another owner.
    func bucket(_ name: String) throws(S3Error) -> Bucket {
        guard let bucket = objects.bucket(named: name, for: .aws) else { throw .noSuchBucket(name) }
        regions.note(authenticated?.region, for: bucket)
        try check(headers.value(of: .expectedBucketOwner), owns: bucket)
        return bucket
    }

    /// Refuses a bucket that does not belong to the account the client expects.
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

    /// Refuses what nobody may do without saying who they are, whatever a bucket allows everybody.
    func refuseAnonymous(_ message: String) throws(S3Error) {
        if dialect == .aws, case .anonymous = caller { throw S3Error(.accessDenied, message) }
    }

    /// Through which the request changes objects of a bucket.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: caller, call, events: events) }

    /// An answer with the headers that every answer of S3 has.
    /// - Parameter fields: further headers, in order.
    func answer(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:]) -> Response {
        Response(status: status, headers: call.s3Headers(and: fields))
    }

    /// An answer whose body is an XML document.
    /// - Parameter capacity: bytes that the document will have, roughly.
    func answer(
        _ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], root: String, capacity: Int = 1024,
        _ content: (inout XMLWriter) -> Void
    ) -> Response {
        Response(
            status: status, headers: call.s3Headers(and: fields), root: root, namespace: S3Face.namespace, capacity: capacity, content)
    }
}

extension Call {
    /// The headers that every answer of S3 has. (S3 API Reference, "Common response headers".)
    /// - Parameter further: those that follow, in order.
    func s3Headers(and further: HTTPFields = [:]) -> HTTPFields {
        var headers = HTTPFields()
        headers.reserveCapacity(12)
        headers.append(HTTPField(name: .s3HostID, value: id.hostID))
        headers.append(HTTPField(name: .s3RequestID, value: id.text))
        headers.append(HTTPField(name: .server, value: "AmazonS3"))
        for field in further { headers.append(field) }
        return headers
    }
}
