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
import WireFormats

/// Alibaba Cloud Object Storage Service over REST. (OSS API Reference, version 2019-05-17.)
///
/// Each request is parsed and authenticated. Then its operation checks permissions, acts and encodes the response.
package struct OSSFace: Sendable {
    let authenticator: Authenticator
    /// Sends callbacks of uploads.
    let outbound: Outbound
    /// Sends bucket notifications.
    let events: EventOutbox
    /// Receives the lines of buckets' access logs.
    let accessLog: AccessLog
    let bucketRules = BucketRulesCache<OSSBucketPolicies>()
    /// Delays transfers that have a bandwidth limit. Tests replace it.
    var wait: LimitedTransfer.Wait = { try await Task.sleep(until: $0, clock: .continuous) }

    /// Creates the face.
    /// - Parameters:
    ///   - outbound: sends requests to other servers.
    ///   - events: sends bucket notifications; by default they are discarded.
    ///   - accessLog: receives the lines of buckets' access logs; by default they are not delivered.
    ///   - logger: receives internal errors.
    package init(
        authenticator: Authenticator, outbound: @escaping Outbound, events: EventOutbox? = nil, accessLog: AccessLog? = nil, logger: Logger
    ) {
        self.authenticator = authenticator
        self.outbound = outbound
        self.events = events ?? EventOutbox(targets: [:], logger: logger)
        self.accessLog = accessLog ?? AccessLog(logger: logger)
    }

    /// Returns the response to a request. Errors are also returned as responses.
    /// - Parameter bucketFromHost: the bucket of a virtual-hosted request; `nil` if the path contains it.
    package func respond(to call: Call, bucketFromHost: String?) async -> Response {
        call.note(face: "oss")
        var response = await answerOrRefusal(call, bucketFromHost)
        let address = try? OSSAddress(path: call.path, bucketFromHost: bucketFromHost)
        for field in crossOriginFields(for: call, bucketNamed: address?.bucket) { response.headers.append(field) }
        log(call, response, address)
        return response
    }

    private func answerOrRefusal(_ call: Call, _ bucketFromHost: String?) async -> Response {
        do {
            return try await answer(call, bucketFromHost)
        } catch let error as OSSError {
            return refuse(error, call)
        } catch let fault as InjectedFault {
            return refuse(OSSError(fault), call)
        } catch let error as ContentCutOff {
            return refuse(OSSError(error.isTimedOut ? .requestTimeout : .incompleteBody), call)
        } catch {
            return refuse(OSSError(failure: error), call)
        }
    }

    private func answer(_ call: Call, _ bucketFromHost: String?) async throws -> Response {
        if bucketFromHost == nil, Self.isPublicKey(call.path) { return try await publicKey(call) }
        let address = try OSSAddress(path: call.path, bucketFromHost: bucketFromHost)
        // (OSS User Guide, "Regions and endpoints": the bucket must be in the host.)
        if address.bucket != nil, !address.isHostStyle, call.host.hasSuffix(".aliyuncs.com") {
            throw OSSError(.secondLevelDomainForbidden)
        }
        guard let query = call.queryFields else { throw OSSError(.invalidArgument, "The query string is malformed.") }
        let operation = try OSSOperation(method: call.method, address: address, query: query, headers: call.headers)
        call.note(operation: operation.name)
        // A missing bucket is reported before authentication, unless the operation creates the bucket.
        if let bucket = address.bucket, !operation.authenticatesFirst,
            call.cloud.objects.bucket(named: bucket, for: .alibaba) == nil
        {
            throw OSSError.noSuchBucket(bucket)
        }
        let authenticated = try authenticate(call, address, operation)
        if let authenticated { try checkPage(call, authenticated, address.bucket) }
        if call.cloud.faults.isArmed { try await applyFaults(call, operation, address, authenticated) }
        let request = OSSRequest(face: self, call: call, address: address, query: query, authenticated: authenticated)
        if let page = try await request.respondAsWebsite(operation) { return page }
        return try await request.perform(operation)
    }

    private func authenticate(_ call: Call, _ address: OSSAddress, _ operation: OSSOperation) throws(OSSError) -> Authenticated? {
        if case .preflight = operation { return nil }
        let isPresigned = call.headers[.authorization] == nil
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(
                call.signable, resource: OSSResource(bucket: address.bucket, key: address.key))
        } catch {
            throw OSSError(error, isPresigned: isPresigned)
        }
        if let region = authenticated?.region, isOfAnotherRegion(region, bucket: address.bucket, call) {
            throw .signingRegion(isPresigned: isPresigned)
        }
        if let arn = authenticated?.caller.arn { call.note(caller: arn) }
        return authenticated
    }

    /// Returns whether a bucket is in another region than the signature. A bucket that S3 and OSS share is in a region of the other vendor.
    func isOfAnotherRegion(_ region: String, bucket name: String?, _ call: Call) -> Bool {
        guard let name, let bucket = call.cloud.objects.bucket(named: name, for: .alibaba) else { return false }
        return bucket.configuration.documents[.sharedWith] == nil && bucket.region != region
    }

    /// Rejects requests that a web page signs with a well-known key, unless the bucket's CORS configuration allows the page to write.
    func checkPage(_ call: Call, _ authenticated: Authenticated, _ bucket: String?) throws(OSSError) {
        let isRead = call.method == .get || call.method == .head
        if let refusal = call.refusal(
            ofKey: authenticated.accessKey, by: authenticator,
            isRead
                ? .read
                : .write(isAllowed: crossOriginFields(for: call, bucketNamed: bucket).contains(.accessControlAllowOrigin)))
        {
            throw OSSError(.accessDenied, refusal)
        }
    }

    /// Applies injected faults to a request. It is called after the signature has been verified and before the operation starts.
    private func applyFaults(
        _ call: Call, _ operation: OSSOperation, _ address: OSSAddress, _ authenticated: Authenticated?
    ) async throws {
        let resource = "acs:oss:*:*:\(address.bucket ?? "*")\(address.key.map { "/\($0)" } ?? "")"
        try await call.applyFaults(
            FaultableCall(
                service: "oss", action: operation.name, caller: authenticated?.caller.arn, resources: [call.path, resource]))
    }

    private func refuse(_ error: OSSError, _ call: Call) -> Response {
        call.note(errorCode: error.code, message: error.message)
        if let cause = error.cause { call.note(failure: cause.error) }
        var headers = call.ossHeaders()
        for field in error.fields { headers.append(field) }
        headers.append(HTTPField(name: .ossErrorCode, value: error.subcode))
        // These responses have no body for the document. (OSS API Reference, "HeadObject".)
        guard call.method != .head, error.status != .notModified else {
            if error.status != .notModified {
                let document = error.document(requestID: call.id.longText, hostID: call.host).base64
                headers.append(HTTPField(name: .ossErrorDocument, value: document))
                headers.append(HTTPField(name: .ossErrorDocumentOfSwift, value: document))
            }
            return Response(status: error.status, headers: headers)
        }
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        let document = error.document(requestID: call.id.longText, hostID: call.host)
        return Response(status: error.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
