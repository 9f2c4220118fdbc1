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
/// Each request is parsed and authenticated. Then its operation checks permissions, acts and encodes the response.
package struct S3Face: Sendable {
    /// The namespace of every document except errors.
    static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    let authenticator: Authenticator
    let events: EventOutbox
    let dialect: Dialect
    let regions: RegionCheck
    let accessLog: AccessLog
    let keys: KeyService?
    let bucketRules = BucketRulesCache<BucketAccess>()

    /// Creates the face.
    /// - Parameters:
    ///   - events: sends bucket notifications; by default they are discarded.
    ///   - accessLog: collects access log records; by default they are discarded.
    ///   - dialect: the service to imitate where services differ.
    ///   - regions: whether requests for a region other than the bucket's are accepted; `nil` if the host decides.
    ///   - keys: checks the KMS keys of objects; by default every key name is valid.
    ///   - logger: receives internal errors.
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

    /// The bucket and key of a request, or the error if they cannot be parsed.
    typealias Address = Result<(bucket: String?, key: String?), S3Error>

    /// Returns the response to a request. Errors are also returned as responses.
    /// - Parameter bucketFromHost: the bucket of a virtual-hosted request; `nil` if the path contains it.
    package func respond(to call: Call, bucketFromHost: String?) async -> Response {
        call.note(face: "s3")
        let address = Address { () throws(S3Error) in
            try S3Operation.address(path: call.path, bucketFromHost: bucketFromHost)
        }
        return finish(await answer(call, address, bucketFromHost), to: call, address)
    }

    /// Completes a response. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func finish(_ response: consuming Response, to call: Call, _ address: Address) -> Response {
        if let fields = crossOriginFields(for: call, address) { response.headers.append(contentsOf: fields) }
        record(call, response, address)
        return response
    }

    /// Returns the response to a request to the website endpoint of a bucket.
    package func respondAsWebsite(to call: Call, bucket: String) async -> Response {
        call.note(face: "s3")
        call.note(operation: "Website")
        let request = S3Request(
            call: call, query: [:], headers: call.headers, authenticated: nil, bucketRules: bucketRules, events: events,
            dialect: dialect, regions: regions)
        var response = await WebsiteRequest(request: request, bucketName: bucket).respond()
        let address = Address { () throws(S3Error) in try S3Operation.address(path: call.path, bucketFromHost: bucket) }
        if let fields = crossOriginFields(for: call, address) { response.headers.append(contentsOf: fields) }
        record(call, response, address, as: "WEBSITE")
        return response
    }

    /// Returns `NotImplemented` for hosts of S3 features that this process does not have.
    package func respondAsUnavailable(to call: Call) -> Response {
        call.note(face: "s3")
        return refuse(.notImplemented(header: "Host"), call)
    }

    /// Returns the CORS header fields that allow a page to read the response, including an error; `nil` for a request without an origin,
    /// and for a preflight request, whose response contains them already.
    private func crossOriginFields(for call: Call, _ address: Address) -> HTTPFields? {
        guard let question = CORSQuestion(call.method, call.headers), call.method != .options,
            let name = try? address.get().bucket,
            let bucket = call.cloud.objects.bucket(named: name, for: .aws),
            let rules = try? bucket.document(.cors, CORSConfiguration.init(stored:))
        else { return nil }
        return rules.answer(to: question)
    }

    private func answer(_ call: Call, _ address: Address, _ bucketFromHost: String?) async -> Response {
        do {
            let (operation, request) = try accept(call, address, bucketFromHost)
            if call.cloud.faults.isArmed { try await applyFaults(call, operation, request.authenticated, bucketFromHost) }
            var response = try await perform(operation, request)
            if request.headers.has(.requestPayer) { response.headers.append(contentsOf: request.chargeFields(bucketFromHost)) }
            return response
        } catch {
            return refuse(error, call)
        }
    }

    /// Parses and authenticates a request. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func accept(_ call: Call, _ address: Address, _ bucketFromHost: String?) throws(S3Error) -> (S3Operation, S3Request) {
        if dialect == .aws { try call.checkHeaderSection() }
        guard let query = call.queryFields else {
            throw S3Error(.invalidURI, nil, ["URI": call.path])
        }
        var headers = call.headers
        if !query.fields.isEmpty { headers.append(presignedIn: query) }
        if case .failure = address, call.path.lowercased().hasPrefix("/%2f") {
            // In the signed path, an encoded slash before the bucket is a slash. The signature is verified before the path is parsed.
            var signed = call.signable
            signed.path = "//" + call.path.dropFirst(4)
            _ = try authenticate(call, signed, bucketFromHost: bucketFromHost)
        }
        let names = try address.get()
        let operation: S3Operation
        do throws(S3Error) {
            operation = try S3Operation(method: call.method, address: names, query: query, headers: headers)
        } catch {
            // S3 verifies a signature before it refuses a method, but after all other faults of the address. (brekkylab/backlot)
            if error.code == .methodNotAllowed {
                if dialect == .aws, names.bucket != nil { try S3Operation.checkRefusedMethod(query, isOfKey: names.key != nil) }
                _ = try authenticate(call, call.signable, bucketFromHost: bucketFromHost)
            }
            throw error
        }
        call.note(operation: operation.name)
        if dialect == .aws, !query.fields.isEmpty { try operation.check(query) }
        let authenticated = try authenticate(call, operation, bucket: names.bucket, bucketFromHost)
        if let authenticated { try checkPage(call, authenticated, address) }
        try operation.check(headers, method: call.method, dialect)
        let request = S3Request(
            call: call, query: query, headers: headers, authenticated: authenticated, bucketRules: bucketRules,
            events: events, dialect: dialect, regions: regions, keys: keys)
        return (operation, request)
    }

    /// Returns the response to a request that failed. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func refuse(_ error: any Error, _ call: Call) -> Response {
        do {
            throw error
        } catch let error as S3Error {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            return refuse(fault, call)
        } catch let error as FormDataError {
            return refuse(S3Error(error), call)
        } catch let error as ContentCutOff {
            return refuse(S3Error(error.isTimedOut ? .requestTimeout : .incompleteBody), call)
        } catch {
            return refuse(S3Error(failure: error), call)
        }
    }

    private func authenticate(
        _ call: Call, _ operation: S3Operation, bucket: String?, _ bucketFromHost: String?
    ) throws(S3Error) -> Authenticated? {
        let region = try signingRegion(for: call, operation, bucket: bucket, bucketFromHost)
        if case .preflight = operation { return nil }
        return try authenticate(call, call.signable, bucketFromHost: bucketFromHost, region: region)
    }

    /// Returns the region that the signature must name; `nil` if every region is accepted.
    @inline(__always)
    func signingRegion(
        for call: Call, _ operation: S3Operation, bucket: String?, _ bucketFromHost: String?
    ) throws(S3Error) -> String? {
        let createsBucket = if case .bucket(_, .createBucket) = operation { true } else { false }
        let region = try regions.signingRegion(
            for: call, bucket: bucket, isVirtualHosted: bucketFromHost != nil, createsBucket: createsBucket)
        if let bucketFromHost { try checkAcceleration(of: bucketFromHost, for: call) }
        return region
    }

    /// Verifies the signature.
    /// - Parameter region: the region that the signature must name; nil if every region is accepted.
    private func authenticate(
        _ call: Call, _ signed: SignableRequest, bucketFromHost: String?, region: String? = nil
    ) throws(S3Error) -> Authenticated? {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(signed, service: "s3", bucket: bucketFromHost, region: region)
        } catch {
            throw refusal(for: error, call, bucketFromHost)
        }
        guard let authenticated else {
            // A request with an unknown kind of signature is not anonymous.
            if let authorization = call.headers[.authorization] {
                throw .unsupportedAuthorization(authorization)
            }
            return nil
        }
        if authenticated.version == .v2 { try Self.checkVersion2(in: region) }
        if let arn = authenticated.caller.arn { call.note(caller: arn) }
        return authenticated
    }

    /// Rejects a Version 2 signature in a region that does not accept it.
    static func checkVersion2(in region: String?) throws(S3Error) {
        guard let region, !AWSRegion.isOld(region) else { return }
        throw S3Error(.invalidRequest, "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
    }

    /// Returns the error for a request that could not be authenticated.
    func refusal(for error: AuthenticationError, _ call: Call, _ bucketFromHost: String?) -> S3Error {
        var refusal = S3Error(error, isPresigned: !call.headers.has(.authorization))
        switch error {
        case .signing(.negativeExpires) where dialect == .ceph, .signing(.excessiveExpires) where dialect == .ceph:
            refusal.code = .accessDenied
        case .signing(.unsupportedAlgorithm):
            if let authorization = call.headers[.authorization] { refusal = .unsupportedAuthorization(authorization) }
        case .wrongRegion(_, let expected) where bucketFromHost != nil || call.path != "/":
            refusal.fields = [.bucketRegion: expected]
        default: break
        }
        return refusal
    }

    /// Rejects requests that a web page signs with a well-known key, unless the bucket's CORS configuration allows the page to write.
    func checkPage(_ call: Call, _ authenticated: Authenticated, _ address: Address) throws(S3Error) {
        let isRead = call.method == .get || call.method == .head
        if let refusal = call.refusal(
            ofKey: authenticated.accessKey, by: authenticator,
            isRead ? .read : .write(isAllowed: crossOriginFields(for: call, address) != nil))
        {
            throw S3Error(.accessDenied, refusal)
        }
    }

    private func perform(_ operation: S3Operation, _ request: S3Request) async throws -> Response {
        switch operation {
        // The most frequent ones go the shortest way.
        case .object(let address, .getObject): try await request.getObject(address)
        case .object(let address, .headObject): try request.headObject(address)
        case .object(let address, .putObject): try await request.putObject(address)
        default: try await performOther(operation, request)
        }
    }

    @inline(never)
    private func performOther(_ operation: S3Operation, _ request: S3Request) async throws -> Response {
        switch operation {
        case .listBuckets: return try request.listBuckets()
        case .bucket(let bucket, let operation): return try await request.perform(operation, on: bucket)
        case .document(let bucket, let operation): return try await request.perform(operation, on: bucket)
        case .configuration(let bucket, let operation): return try await request.perform(operation, on: bucket)
        case .object(let address, let operation): return try await request.perform(operation, on: address)
        case .postObject(let bucket): return try await postObject(bucket, request)
        case .preflight(let bucket, let isObject): return try request.preflight(bucket, isObject: isObject)
        case .refused(_, let bucket, let refusal):
            _ = try request.bucket(bucket)
            if refusal == .restorationWithoutKey { try request.refuseVersionOfBucket() }
            throw refusal.error
        // Torrents were discontinued. (brekkylab/backlot, measured in S3 2026-09-29.)
        case .unimplemented(_, "torrent"):
            throw request.dialect == .ceph ? S3Error(.noSuchKey) : .methodNotAllowed(request.call.method, on: "TORRENT", allowed: [])
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
