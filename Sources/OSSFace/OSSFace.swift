import Cloud
package import Exchange
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
    let bucketRules = BucketRulesCache<OSSBucketPolicies>()

    /// - Parameters:
    ///   - outbound: makes requests of other servers.
    ///   - events: takes what buckets tell others of; by default it goes nowhere.
    ///   - logger: hears of failures that are nobody's mistake but ours.
    package init(authenticator: Authenticator, outbound: @escaping Outbound, events: EventOutbox? = nil, logger: Logger) {
        self.authenticator = authenticator
        self.outbound = outbound
        self.events = events ?? EventOutbox(targets: [:], logger: logger)
    }

    /// Answers one request; a refusal is an answer too.
    /// - Parameter bucketFromHost: the bucket of a request in host style; `nil` if the path names it.
    package func respond(to exchange: Exchange, bucketFromHost: String?) async -> Response {
        exchange.note(face: "oss")
        var response = await answerOrRefusal(exchange, bucketFromHost)
        let address = try? OSSAddress(path: exchange.path, bucketFromHost: bucketFromHost)
        for field in crossOriginFields(for: exchange, bucketNamed: address?.bucket) { response.headers.append(field) }
        return response
    }

    private func answerOrRefusal(_ exchange: Exchange, _ bucketFromHost: String?) async -> Response {
        do {
            return try await answer(exchange, bucketFromHost)
        } catch let error as OSSError {
            return refuse(error, exchange)
        } catch let fault as InjectedFault {
            return refuse(OSSError(fault), exchange)
        } catch is ContentCutOff {
            return refuse(OSSError(.incompleteBody), exchange)
        } catch {
            exchange.note(failure: error)
            return refuse(OSSError(.internalError), exchange)
        }
    }

    private func answer(_ exchange: Exchange, _ bucketFromHost: String?) async throws -> Response {
        if bucketFromHost == nil, Self.isPublicKey(exchange.path) { return try await publicKey(exchange) }
        let address = try OSSAddress(path: exchange.path, bucketFromHost: bucketFromHost)
        // (OSS User Guide, "Regions and endpoints": a bucket stands in the host.)
        if address.bucket != nil, !address.isHostStyle, exchange.host.hasSuffix(".aliyuncs.com") {
            throw OSSError(.secondLevelDomainForbidden)
        }
        guard let query = FormFields(parsing: exchange.query) else { throw OSSError(.invalidArgument, "The query string is malformed.") }
        let operation = try OSSOperation(method: exchange.method, address: address, query: query, headers: exchange.headers)
        exchange.note(operation: operation.name)
        // A bucket that is not there is told of before anybody asks whose key it is, unless the request would make it.
        if let bucket = address.bucket, !operation.isAskedBeforeTheBucket,
            exchange.cloud.objects.bucket(named: bucket, for: .alibaba) == nil
        {
            throw OSSError.noSuchBucket(bucket)
        }
        let authenticated = try authenticate(exchange, address, operation)
        if let authenticated { try checkPage(exchange, authenticated, address.bucket) }
        if exchange.cloud.faults.isArmed { try await meetFaults(exchange, operation, address, authenticated) }
        let request = OSSRequest(face: self, exchange: exchange, address: address, query: query, authenticated: authenticated)
        if let page = try await request.respondAsWebsite(operation) { return page }
        return try await request.perform(operation)
    }

    private func authenticate(_ exchange: Exchange, _ address: OSSAddress, _ operation: OSSOperation) throws(OSSError) -> Authenticated? {
        if case .preflight = operation { return nil }
        let isPresigned = exchange.headers[.authorization] == nil
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(
                exchange.signable, resource: OSSResource(bucket: address.bucket, key: address.key))
        } catch {
            throw OSSError(error, isPresigned: isPresigned)
        }
        // A bucket that both doors show is in a region of the other vendor.
        if let region = authenticated?.region, let name = address.bucket,
            let bucket = exchange.cloud.objects.bucket(named: name, for: .alibaba),
            bucket.configuration.documents[.sharedWith] == nil, bucket.region != region
        {
            throw .signingRegion(isPresigned: isPresigned)
        }
        if let arn = authenticated?.caller.arn { exchange.note(caller: arn) }
        return authenticated
    }

    /// Refuses what a page signs with a well-known key, unless the bucket's CORS configuration allows the page to write.
    func checkPage(_ exchange: Exchange, _ authenticated: Authenticated, _ bucket: String?) throws(OSSError) {
        let isRead = exchange.method == .get || exchange.method == .head
        if let refusal = exchange.refusal(
            ofKey: authenticated.accessKey, by: authenticator,
            isRead
                ? .read
                : .write(isAllowed: crossOriginFields(for: exchange, bucketNamed: bucket).contains(.accessControlAllowOrigin)))
        {
            throw OSSError(.accessDenied, refusal)
        }
    }

    /// The one place where errors on demand reach OSS: the signature is good, and nothing of the operation has been done.
    private func meetFaults(
        _ exchange: Exchange, _ operation: OSSOperation, _ address: OSSAddress, _ authenticated: Authenticated?
    ) async throws {
        let resource = "acs:oss:*:*:\(address.bucket ?? "*")\(address.key.map { "/\($0)" } ?? "")"
        try await exchange.meetFaults(
            FaultableCall(
                service: "oss", action: operation.name, caller: authenticated?.caller.arn, resources: [exchange.path, resource]))
    }

    private func refuse(_ error: OSSError, _ exchange: Exchange) -> Response {
        exchange.note(errorCode: error.code, message: error.message)
        if let cause = error.cause { exchange.note(failure: cause) }
        var headers = exchange.ossHeaders()
        for field in error.fields { headers.append(field) }
        headers.append(HTTPField(name: .ossErrorCode, value: error.subcode))
        // The answer to these has no content to carry the document. (OSS API Reference, "HeadObject".)
        guard exchange.method != .head, error.status != .notModified else {
            if error.status != .notModified {
                let document = error.document(requestID: exchange.id.longText, hostID: exchange.host).base64
                headers.append(HTTPField(name: .ossErrorDocument, value: document))
                headers.append(HTTPField(name: .ossErrorDocumentOfSwift, value: document))
            }
            return Response(status: error.status, headers: headers)
        }
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        let document = error.document(requestID: exchange.id.longText, hostID: exchange.host)
        return Response(status: error.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
