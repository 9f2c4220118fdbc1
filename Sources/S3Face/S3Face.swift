package import Calls
import Cloud
package import Federation
import HTTPTypes
package import Logging
import NIOCore
package import ObjectServing
import ObjectStore
import Policy
import RequestSigning
package import Seeds
import WireFormats

/// Amazon S3 over REST. (S3 API Reference, version 2006-03-01.)
///
/// Every request goes the same way: parse, authenticate, then the operation asks for permission, acts and encodes its answer.
package struct S3Face: Sendable {
    /// The namespace of every document but errors.
    static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    let authenticator: Authenticator
    let events: EventOutbox
    let dialect: Dialect
    let regions: RegionCheck
    let accessLog: AccessLog
    let keys: KeyService?
    let bucketRules = BucketRulesCache<BucketAccess>()

    /// - Parameters:
    ///   - events: takes what buckets tell others of; by default it goes nowhere.
    ///   - accessLog: takes what buckets' logs tell; by default it goes nowhere.
    ///   - dialect: whose answers count where real services differ.
    ///   - regions: whether another region than a bucket's reaches it; `nil` if the host decides.
    ///   - keys: asked about keys of objects; by default any name is a key.
    ///   - logger: hears of failures that are nobody's mistake but ours.
    package init(
        authenticator: Authenticator, events: EventOutbox? = nil, accessLog: AccessLog? = nil, dialect: Dialect = .aws,
        regions: RegionRule? = nil, keys: KeyService? = nil, logger: Logger
    ) {
        self.keys = keys
        self.dialect = dialect
        self.regions = RegionCheck(rule: regions, logger: logger)
        self.authenticator = authenticator
        self.events = events ?? EventOutbox(targets: [:], logger: logger)
        self.accessLog = accessLog ?? AccessLog(logger: logger)
    }

    /// The names of bucket and key that a request is about, or why they cannot be read.
    typealias Address = Result<(bucket: String?, key: String?), S3Error>

    /// Answers one request; a refusal is an answer too.
    /// - Parameter bucketFromHost: the bucket of a virtual-hosted request; `nil` if the path names it.
    package func respond(to call: Call, bucketFromHost: String?) async -> Response {
        call.note(face: "s3")
        let address = Address { () throws(S3Error) in
            try S3Operation.address(path: call.path, bucketFromHost: bucketFromHost)
        }
        var response = await answer(call, address, bucketFromHost)
        for field in crossOriginFields(for: call, address) { response.headers.append(field) }
        record(call, response, address)
        return response
    }

    /// Answers a browser at the website endpoint of a bucket.
    package func respondAsWebsite(to call: Call, bucket: String) async -> Response {
        call.note(face: "s3")
        call.note(operation: "Website")
        let request = S3Request(
            call: call, query: [:], headers: call.headers, authenticated: nil, bucketRules: bucketRules, events: events,
            dialect: dialect, regions: regions)
        var response = await WebsiteRequest(request: request, bucketName: bucket).respond()
        let address = Address { () throws(S3Error) in try S3Operation.address(path: call.path, bucketFromHost: bucket) }
        for field in crossOriginFields(for: call, address) { response.headers.append(field) }
        record(call, response, address, as: "WEBSITE")
        return response
    }

    /// Answers for what S3 has hosts and signatures of its own for, and this process has not.
    package func respondAsUnavailable(to call: Call) -> Response {
        call.note(face: "s3")
        return refuse(.notImplemented(header: "Host"), call)
    }

    /// What lets a page of another origin have the answer, be it a refusal; `nil` for a request that names no origin, and
    /// for a preflight, whose answer says it already.
    private func crossOriginFields(for call: Call, _ address: Address) -> HTTPFields {
        guard let question = CORSQuestion(call.method, call.headers), call.method != .options,
            let name = try? address.get().bucket,
            let bucket = call.cloud.objects.bucket(named: name, for: .aws),
            let rules = try? bucketRules.rules(of: bucket).document(.cors, CORSConfiguration.init(stored:))
        else { return [:] }
        return rules.answer(to: question) ?? [:]
    }

    private func answer(_ call: Call, _ address: Address, _ bucketFromHost: String?) async -> Response {
        do {
            guard let query = FormFields(parsing: call.query) else {
                throw S3Error(.invalidURI, nil, ["URI": call.path])
            }
            var headers = call.headers
            if !query.fields.isEmpty { headers.append(presignedIn: query) }
            if case .failure = address, call.path.lowercased().hasPrefix("/%2f") {
                // An encoded slash before the bucket counts as a slash in what is signed, which is compared first.
                var signed = call.signable
                signed.path = "//" + call.path.dropFirst(4)
                _ = try authenticate(call, signed, bucketFromHost: bucketFromHost)
            }
            let names = try address.get()
            let operation = try S3Operation(method: call.method, address: names, query: query, headers: headers)
            call.note(operation: operation.name)
            let authenticated = try authenticate(call, operation, bucket: names.bucket, bucketFromHost)
            if let authenticated { try checkPage(call, authenticated, address) }
            if call.cloud.faults.isArmed { try await meetFaults(call, operation, authenticated, bucketFromHost) }
            let request = S3Request(
                call: call, query: query, headers: headers, authenticated: authenticated, bucketRules: bucketRules,
                events: events, dialect: dialect, regions: regions, keys: keys)
            var response = try await perform(operation, request)
            if headers.contains(.requestPayer) {
                for field in request.chargeFields(bucketFromHost) { response.headers.append(field) }
            }
            return response
        } catch let error as S3Error {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            return refuse(fault, call)
        } catch let error as FormDataError {
            return refuse(S3Error(error), call)
        } catch is ContentCutOff {
            return refuse(S3Error(.incompleteBody), call)
        } catch {
            call.note(failure: error)
            return refuse(S3Error(.internalError), call)
        }
    }

    private func authenticate(
        _ call: Call, _ operation: S3Operation, bucket: String?, _ bucketFromHost: String?
    ) throws(S3Error) -> Authenticated? {
        let createsBucket = if case .createBucket = operation { true } else { false }
        let region = try regions.signingRegion(
            for: call, bucket: bucket, isVirtualHosted: bucketFromHost != nil, createsBucket: createsBucket)
        if let bucketFromHost { try checkAcceleration(of: bucketFromHost, for: call) }
        if case .preflight = operation { return nil }
        return try authenticate(call, call.signable, bucketFromHost: bucketFromHost, region: region)
    }

    /// - Parameter region: the region that the signature must name; nil if every region is accepted.
    private func authenticate(
        _ call: Call, _ signed: SignableRequest, bucketFromHost: String?, region: String? = nil
    ) throws(S3Error) -> Authenticated? {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(signed, service: "s3", bucket: bucketFromHost, region: region)
        } catch {
            var refusal = S3Error(error, isPresigned: call.headers[.authorization] == nil)
            switch error {
            case .signing(.negativeExpires) where dialect == .ceph, .signing(.excessiveExpires) where dialect == .ceph:
                refusal.code = .accessDenied
            case .wrongRegion(_, let expected) where bucketFromHost != nil || call.path != "/":
                refusal.fields = [.bucketRegion: expected]
            default: break
            }
            throw refusal
        }
        guard let authenticated else {
            // A request that presents something that is no signature is not an anonymous one.
            if let authorization = call.headers[.authorization] {
                throw .invalidArgument("Unsupported Authorization Type", name: "Authorization", value: authorization)
            }
            return nil
        }
        if let region, authenticated.version == .v2, !AWSRegion.isOld(region) {
            throw S3Error(
                .invalidRequest, "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
        }
        if let arn = authenticated.caller.arn { call.note(caller: arn) }
        return authenticated
    }

    /// Refuses what a page signs with a well-known key, unless the bucket's CORS configuration allows the page to write.
    func checkPage(_ call: Call, _ authenticated: Authenticated, _ address: Address) throws(S3Error) {
        let isRead = call.method == .get || call.method == .head
        if let refusal = call.refusal(
            ofKey: authenticated.accessKey, by: authenticator,
            isRead ? .read : .write(isAllowed: !crossOriginFields(for: call, address).isEmpty))
        {
            throw S3Error(.accessDenied, refusal)
        }
    }

    /// Not optimised: it only leads on, and the compiler of Swift 6.3 crashes where it splits so many calls that may wait.
    @_optimize(none)
    private func perform(_ operation: S3Operation, _ request: S3Request) async throws -> Response {
        switch operation {
        case .listBuckets: try request.listBuckets()
        case .createBucket(let bucket): try await request.createBucket(bucket)
        case .headBucket(let bucket): try request.headBucket(bucket)
        case .deleteBucket(let bucket): try await request.deleteBucket(bucket)
        case .getBucketLocation(let bucket): try request.getBucketLocation(bucket)
        case .getBucketPolicy(let bucket): try request.getBucketPolicy(bucket)
        case .putBucketPolicy(let bucket): try await request.putBucketPolicy(bucket)
        case .deleteBucketPolicy(let bucket): try await request.deleteBucketPolicy(bucket)
        case .listObjects(let bucket): try await request.listObjects(bucket)
        case .listObjectsV2(let bucket): try await request.listObjectsV2(bucket)
        case .listMultipartUploads(let bucket): try await request.listMultipartUploads(bucket)
        case .deleteObjects(let bucket): try await request.deleteObjects(bucket)
        case .getObject(let address): try await request.getObject(address)
        case .headObject(let address): try request.headObject(address)
        case .putObject(let address): try await request.putObject(address)
        case .copyObject(let address): try await request.copyObject(address)
        case .deleteObject(let address): try await request.deleteObject(address)
        case .createMultipartUpload(let address): try await request.createMultipartUpload(address)
        case .uploadPart(let address): try await request.uploadPart(address)
        case .uploadPartCopy(let address): try await request.uploadPartCopy(address)
        case .completeMultipartUpload(let address): try await request.completeMultipartUpload(address)
        case .abortMultipartUpload(let address): try await request.abortMultipartUpload(address)
        case .listParts(let address): try await request.listParts(address)
        case .getBucketAcl(let bucket): try await request.getBucketAcl(bucket)
        case .putBucketAcl(let bucket): try await request.putBucketAcl(bucket)
        case .getBucketOwnershipControls(let bucket): try await request.getBucketOwnershipControls(bucket)
        case .putBucketOwnershipControls(let bucket): try await request.putBucketOwnershipControls(bucket)
        case .deleteBucketOwnershipControls(let bucket): try await request.deleteBucketOwnershipControls(bucket)
        case .getPublicAccessBlock(let bucket): try await request.getPublicAccessBlock(bucket)
        case .putPublicAccessBlock(let bucket): try await request.putPublicAccessBlock(bucket)
        case .deletePublicAccessBlock(let bucket): try await request.deletePublicAccessBlock(bucket)
        case .getBucketPolicyStatus(let bucket): try await request.getBucketPolicyStatus(bucket)
        case .getBucketVersioning(let bucket): try request.getBucketVersioning(bucket)
        case .putBucketVersioning(let bucket): try await request.putBucketVersioning(bucket)
        case .listObjectVersions(let bucket): try await request.listObjectVersions(bucket)
        case .getObjectLockConfiguration(let bucket): try request.getObjectLockConfiguration(bucket)
        case .putObjectLockConfiguration(let bucket): try await request.putObjectLockConfiguration(bucket)
        case .getBucketTagging(let bucket): try request.getBucketTagging(bucket)
        case .putBucketTagging(let bucket): try await request.putBucketTagging(bucket)
        case .deleteBucketTagging(let bucket): try await request.deleteBucketTagging(bucket)
        case .getBucketEncryption(let bucket): try await request.getBucketEncryption(bucket)
        case .putBucketEncryption(let bucket): try await request.putBucketEncryption(bucket)
        case .deleteBucketEncryption(let bucket): try await request.deleteBucketEncryption(bucket)
        case .getBucketCors(let bucket): try await request.getBucketCors(bucket)
        case .putBucketCors(let bucket): try await request.putBucketCors(bucket)
        case .deleteBucketCors(let bucket): try await request.deleteBucketCors(bucket)
        case .getBucketLifecycleConfiguration(let bucket): try await request.getBucketLifecycleConfiguration(bucket)
        case .putBucketLifecycleConfiguration(let bucket): try await request.putBucketLifecycleConfiguration(bucket)
        case .deleteBucketLifecycle(let bucket): try await request.deleteBucketLifecycle(bucket)
        case .getBucketWebsite(let bucket): try await request.getBucketWebsite(bucket)
        case .putBucketWebsite(let bucket): try await request.putBucketWebsite(bucket)
        case .deleteBucketWebsite(let bucket): try await request.deleteBucketWebsite(bucket)
        case .getBucketNotificationConfiguration(let bucket): try await request.getBucketNotificationConfiguration(bucket)
        case .putBucketNotificationConfiguration(let bucket): try await request.putBucketNotificationConfiguration(bucket)
        case .getBucketLogging(let bucket): try await request.getBucketLogging(bucket)
        case .putBucketLogging(let bucket): try await request.putBucketLogging(bucket)
        case .getBucketRequestPayment(let bucket): try await request.getBucketRequestPayment(bucket)
        case .putBucketRequestPayment(let bucket): try await request.putBucketRequestPayment(bucket)
        case .getBucketAccelerateConfiguration(let bucket): try await request.getBucketAccelerateConfiguration(bucket)
        case .putBucketAccelerateConfiguration(let bucket): try await request.putBucketAccelerateConfiguration(bucket)
        case .getBucketReplication(let bucket): try await request.getBucketReplication(bucket)
        case .putBucketReplication(let bucket): try await request.putBucketReplication(bucket)
        case .deleteBucketReplication(let bucket): try await request.deleteBucketReplication(bucket)
        case .configuration(let bucket, let operation): try await request.perform(operation, on: bucket)
        case .postObject(let bucket): try await postObject(bucket, request)
        case .getObjectAcl(let address): try await request.getObjectAcl(address)
        case .putObjectAcl(let address): try await request.putObjectAcl(address)
        case .getObjectRetention(let address): try request.getObjectRetention(address)
        case .putObjectRetention(let address): try await request.putObjectRetention(address)
        case .getObjectLegalHold(let address): try request.getObjectLegalHold(address)
        case .putObjectLegalHold(let address): try await request.putObjectLegalHold(address)
        case .getObjectTagging(let address): try request.getObjectTagging(address)
        case .putObjectTagging(let address): try await request.putObjectTagging(address)
        case .deleteObjectTagging(let address): try await request.deleteObjectTagging(address)
        case .getObjectAttributes(let address): try await request.getObjectAttributes(address)
        case .restoreObject(let address): try await request.restoreObject(address)
        case .updateObjectEncryption(let address): try await request.updateObjectEncryption(address)
        case .selectObjectContent(let address): try await request.selectObjectContent(address)
        case .preflight(let bucket, let isObject): try request.preflight(bucket, isObject: isObject)
        case .unimplemented(_, "torrent") where request.dialect == .ceph: throw S3Error(.noSuchKey)
        case .unimplemented(_, let subResource): throw S3Error.notImplemented(header: subResource)
        }
    }

    private func refuse(_ error: S3Error, _ call: Call) -> Response {
        call.note(errorCode: error.wireCode, message: error.message)
        if let cause = error.cause { call.note(failure: cause.error) }
        var headers = call.s3Headers()
        for field in error.fields { headers.append(field) }
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        if !error.allowedMethods.isEmpty {
            let methods = error.allowedMethods.map(\.rawValue).joined(separator: ", ")
            headers.append(HTTPField(name: .allow, value: methods))
        }
        guard call.method != .head else { return Response(status: error.code.status, headers: headers) }
        let document = error.document(requestID: call.id.text, hostID: call.id.hostID)
        return Response(
            status: error.code.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
