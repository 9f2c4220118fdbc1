import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The optional document of a CreateBucket request. (S3 API Reference, "CreateBucketConfiguration".)
private struct CreateBucketConfiguration {
    /// The location constraint; `nil` if there is none.
    var constraint: String?
    var tags: [Tag] = []

    init() {}

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidTag`; `NotImplemented` for members that only other kinds of bucket have.
    init(_ element: XMLElement) throws(S3Error) {
        for child in element.children {
            switch child.name {
            case "LocationConstraint": constraint = child.text
            case "Tags":
                // `Tags` is the tag set itself, without an enclosing `Tagging` element.
                guard DocumentSchema.holds(child, DocumentSchema.tagSet) else { throw S3Error(.malformedXML) }
                tags = [Tag](tagSet: child)
                try tags.check(of: .newBucket)
            case "Location", "Bucket": throw .notImplemented(header: child.name)
            default: throw S3Error(.malformedXML)
            }
        }
    }
}

extension S3Request {
    private static let configurationLimit = 256 << 10

    func createBucket(_ name: String) async throws -> Response {
        guard isValidBucketName(name) else { throw S3Error(.invalidBucketName, nil, ["BucketName": name]) }
        guard let account = caller.account else { throw S3Error(.accessDenied) }
        let input = try input(CreateBucketInput.self)
        try input.namespace.get().check(name, account: account, region: region)
        let body = try await document(upTo: Self.configurationLimit, try declaredBody())
        let asked =
            body.isEmpty ? CreateBucketConfiguration() : try CreateBucketConfiguration(try xml("CreateBucketConfiguration", body))
        try authorizeCreation(of: name, account, input, asked)
        try LocationConstraint.check(asked.constraint, at: region, isStrict: regions.isStrict(at: call.host))
        let configuration = try newConfiguration(account, input, asked)
        do {
            _ = try await objects.createBucket(
                named: name, account: account, region: asked.constraint ?? "", created: clock.now, configuration: configuration)
        } catch {
            switch error {
            case .bucketExists(let owner) where owner == account: try await repeatCreation(of: name, configuration)
            default: throw S3Error(error, bucket: name)
            }
        }
        let location = region == "us-east-1" && asked.constraint == nil ? "/\(name)" : "http://\(name).s3.amazonaws.com/"
        return answer(.ok, [.location: location, .bucketARN: "arn:aws:s3:::\(name)"])
    }

    /// Checks the permissions to create the bucket and to set what the request specifies. (S3 API Reference, CreateBucket, "Permissions".)
    private func authorizeCreation(
        of name: String, _ account: String, _ input: CreateBucketInput, _ asked: CreateBucketConfiguration
    ) throws(S3Error) {
        var actions = [S3Action.createBucket]
        if !input.accessControl.isEmpty { actions.append(.putBucketAcl) }
        if dialect == .aws, input.ownership != nil { actions.append(.putBucketOwnershipControls) }
        if input.locksObjects { actions += [.putBucketObjectLockConfiguration, .putBucketVersioning] }
        if !asked.tags.isEmpty { actions.append(.tagResource) }
        let constraint = asked.constraint.map { [("s3:LocationConstraint", $0)] } ?? []
        for action in actions {
            try authorize(action, resource: "arn:aws:s3:::\(name)", ownedBy: account, keys: constraint)
        }
    }

    /// Returns the configuration of new buckets with the settings in headers and document.
    /// - Throws: `InvalidArgument`, `InvalidBucketAclWithObjectOwnership`, `InvalidBucketAclWithBlockPublicAccessError`.
    private func newConfiguration(
        _ account: String, _ input: CreateBucketInput, _ asked: CreateBucketConfiguration
    ) throws(S3Error) -> BucketConfiguration {
        var configuration = call.cloud.newBucketConfiguration
        if let ownership = input.ownership { configuration.ownership = try ownership.get() }
        let headers = try AccessControlHeaders(input.accessControl, grantees)
        configuration.accessControl = headers.list(owner: call.cloud.directory.canonicalUserID(of: account), bucketOwner: nil)
        if let list = configuration.accessControl {
            guard configuration.ownership != .bucketOwnerEnforced else { throw S3Error(.invalidBucketACL) }
            guard !list.isPublic || configuration.publicAccessBlock?.contains(.blocksPublicACLs) != true else {
                throw S3Error(.invalidBucketACLWithBlockPublicAccess)
            }
        }
        if input.locksObjects {
            configuration.hasObjectLock = true
            configuration.versioning = .enabled
        }
        configuration.tags = asked.tags
        return configuration
    }

    /// Creates a bucket again that the caller owns already. AWS accepts this only in us-east-1 and without tags; it replaces the ACL.
    /// (S3 API Reference, CreateBucket, `BucketAlreadyOwnedByYou`.)
    private func repeatCreation(of name: String, _ configuration: BucketConfiguration) async throws(S3Error) {
        let present = try bucket(name)
        let isThere = present.regionName == "us-east-1"
        let isRepeatable = dialect == .ceph || isThere && configuration.tags.isEmpty
        guard region == "us-east-1", isRepeatable else { throw S3Error(.bucketAlreadyOwnedByYou, nil, ["BucketName": name]) }
        let list = configuration.accessControl
        guard present.configuration.accessControl != list else { return }
        if dialect == .ceph { throw S3Error(.bucketAlreadyExists, nil, ["BucketName": name]) }
        guard list == nil || !present.ignoresLists else { throw S3Error(.invalidBucketACL) }
        guard list?.isPublic != true || present.configuration.publicAccessBlock?.contains(.blocksPublicACLs) != true else {
            throw S3Error(.invalidBucketACLWithBlockPublicAccess)
        }
        try await configure(present) { $0.accessControl = list }
    }
}
