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
/// Every request goes the same way: parse, authenticate, then the operation asks for permission, acts and encodes its answer.
package struct OSSFace: Sendable {
    let authenticator: Authenticator
    /// Asks the servers that uploads call back.
    let outbound: Outbound
    /// Takes what buckets tell others of.
    let events: EventOutbox
    /// Takes the lines of buckets' access logs.
    let accessLog: AccessLog
    let bucketRules = BucketRulesCache<OSSBucketPolicies>()

    /// - Parameters:
    ///   - outbound: makes requests of other servers.
    ///   - events: takes what buckets tell others of; by default it goes nowhere.
    ///   - accessLog: takes the lines of buckets' access logs; by default they are not delivered.
    ///   - logger: hears of failures that are nobody's mistake but ours.
    package init(
        authenticator: Authenticator, outbound: @escaping Outbound, events: EventOutbox? = nil, accessLog: AccessLog? = nil, logger: Logger
    ) {
        self.authenticator = authenticator
        self.outbound = outbound
        self.events = events ?? EventOutbox(targets: [:], logger: logger)
        self.accessLog = accessLog ?? AccessLog(logger: logger)
    }

    /// Answers one request; a refusal is an answer too.
    /// - Parameter bucketFromHost: the bucket of a request in host style; `nil` if the path names it.
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
        } catch is ContentCutOff {
            return refuse(OSSError(.incompleteBody), call)
        } catch {
            call.note(failure: error)
            return refuse(OSSError(.internalError), call)
        }
    }

    private func answer(_ call: Call, _ bucketFromHost: String?) async throws -> Response {
        if bucketFromHost == nil, Self.isPublicKey(call.path) { return try await publicKey(call) }
        let address = try OSSAddress(path: call.path, bucketFromHost: bucketFromHost)
        // (OSS User Guide, "Regions and endpoints": a bucket stands in the host.)
        if address.bucket != nil, !address.isHostStyle, call.host.hasSuffix(".aliyuncs.com") {
            throw OSSError(.secondLevelDomainForbidden)
        }
        guard let query = FormFields(parsing: call.query) else { throw OSSError(.invalidArgument, "The query string is malformed.") }
        let operation = try OSSOperation(method: call.method, address: address, query: query, headers: call.headers)
        call.note(operation: operation.name)
        // A bucket that is not there is told of before anybody asks whose key it is, unless the request would make it.
        if let bucket = address.bucket, !operation.isAskedBeforeTheBucket,
            call.cloud.objects.bucket(named: bucket, for: .alibaba) == nil
        {
            throw OSSError.noSuchBucket(bucket)
        }
        let authenticated = try authenticate(call, address, operation)
        if let authenticated { try checkPage(call, authenticated, address.bucket) }
        if call.cloud.faults.isArmed { try await meetFaults(call, operation, address, authenticated) }
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
        // A bucket that both doors show is in a region of the other vendor.
        if let region = authenticated?.region, let name = address.bucket,
            let bucket = call.cloud.objects.bucket(named: name, for: .alibaba),
            bucket.configuration.documents[.sharedWith] == nil, bucket.region != region
        {
            throw .signingRegion(isPresigned: isPresigned)
        }
        if let arn = authenticated?.caller.arn { call.note(caller: arn) }
        return authenticated
    }

    /// Refuses what a page signs with a well-known key, unless the bucket's CORS configuration allows the page to write.
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

    /// The one place where errors on demand reach OSS: the signature is good, and nothing of the operation has been done.
    private func meetFaults(
        _ call: Call, _ operation: OSSOperation, _ address: OSSAddress, _ authenticated: Authenticated?
    ) async throws {
        let resource = "acs:oss:*:*:\(address.bucket ?? "*")\(address.key.map { "/\($0)" } ?? "")"
        try await call.meetFaults(
            FaultableCall(
                service: "oss", action: operation.name, caller: authenticated?.caller.arn, resources: [call.path, resource]))
    }

    private func refuse(_ error: OSSError, _ call: Call) -> Response {
        call.note(errorCode: error.code, message: error.message)
        if let cause = error.cause { call.note(failure: cause.error) }
        var headers = call.ossHeaders()
        for field in error.fields { headers.append(field) }
        headers.append(HTTPField(name: .ossErrorCode, value: error.subcode))
        // The answer to these has no content to carry the document. (OSS API Reference, "HeadObject".)
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
