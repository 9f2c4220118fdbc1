import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import NIOCore
import ObjectStore
import Policy
import RequestSigning
import WireFormats

extension ControlFace {
    /// The longest call of `/_virga/send`: a body may be in base64, or escaped.
    static let longestSending = 4 << 20
    /// How much of a response is returned, in bytes.
    private static let longestAnswer = 1 << 20

    /// `POST /_virga/send`: sends a request to this sandbox, signed as a principal or with given keys, and returns request, response and the
    /// texts that were signed.
    ///
    /// The request enters the front door of this sandbox and no socket, whatever host it names.
    func send(_ call: Call, _ body: JSONObject, _ enter: Enter) async throws -> Response {
        let order = try SendOrder(body)
        var content = order.body
        var signable = SignableRequest(
            method: order.method.rawValue, target: order.target, authority: order.authority ?? call.authority, fields: order.fields)
        var signer: RequestSigner?
        var texts = RequestSigner.Texts()
        switch order.sender {
        case .anonymous: break
        case .bearer(let token): signable.fields[.authorization] = "Bearer \(token)"
        case .basic(let username, let password):
            signable.fields[.authorization] = "Basic \(Array("\(username):\(password)".utf8).base64)"
        case .keys(let keys): signer = Self.signer(keys, order, signable.authority, call)
        case .principal(let name):
            guard let keys = try credentials(name) else { throw ControlError.unknownCaller(name, in: call.cloud.directory) }
            signer = Self.signer(keys, order, signable.authority, call)
        }
        if let signer { texts = try signer.sign(&signable, body: &content) }
        let query = signable.query.text
        let target = query.isEmpty ? order.target.hasSuffix("?") ? order.target : signable.path : "\(signable.path)?\(query)"
        let request = Request(
            method: order.method, target: target, authority: signable.authority, headers: signable.fields,
            body: RequestBody(buffer: ByteBuffer(bytes: content)))

        let start = ContinuousClock.now
        let entered = await enter(request, order.isRecorded)
        let response = entered.response
        let received = CollectedBody(limit: Self.longestAnswer)
        if !response.isLost { await received.collect(response.body) }
        let duration = ContinuousClock.now - start

        let entry = call.cloud.journal.recent(limit: 1) { $0.requestID == entered.requestID.text }.first
        var signature: Document<SignatureMembers>?
        if let signer, signer.method != .none {
            signature = Document {
                [$0.kind(signer.method.rawValue), $0.canonicalRequest(texts.canonicalRequest), $0.stringToSign(texts.stringToSign)]
            }
        }
        let sent = Document<SentRequestMembers> {
            [
                $0.method(order.method.rawValue), $0.target(target), $0.host(signable.authority),
                $0.message(Self.message(signable.fields, MessageBody(start: content, total: Int64(content.count)).document)),
                $0.signature(signature),
            ]
        }
        let length = response.isLost || order.method == .head ? 0 : response.body.contentLength
        let answer = Document<SentResponseMembers> {
            [
                $0.status(response.isLost ? 0 : response.status.code),
                $0.message(Self.message(response.isLost ? [:] : response.headers, received.document(length: length))),
                $0.lost(response.isLost || received.isCutOff),
            ]
        }
        let curl = Self.curl(order, signable, target, content, signer, call).text
        return .json(
            Document<SentMembers> {
                [
                    $0.request(sent), $0.response(answer), $0.curl(curl), $0.requestID(entered.requestID.text), $0.number(entry?.number),
                    $0.duration(duration.milliseconds), $0.caller(entry?.caller),
                ]
            }.json)
    }

    private static func message(_ fields: HTTPFields, _ body: Document<MessageBodyMembers>) -> Document<MessageMembers> {
        let headers = fields.map { field in Document<HeaderMembers> { [$0.name(field.name.rawName), $0.value(field.value)] } }
        return Document { [$0.headers(headers), $0.body(body)] }
    }

    static func signer(_ keys: SigningCredentials, _ order: SendOrder, _ authority: String, _ call: Call) -> RequestSigner {
        let isAlibaba = isOfAlibaba(keys, call.cloud.directory)
        let service = order.service ?? (isAlibaba ? "oss" : "s3")
        let usual: SendOrder.Signature =
            switch service {
            case "oss": .ossV4
            case "alibaba-sts", "ram", "ims": .rpc
            default: .v4
            }
        let bucketOfHost = bucket(ofHost: authority, call)
        let bucket = bucketOfHost ?? String(order.target.dropFirst().prefix { $0 != "/" && $0 != "?" })
        let regionOfBucket = ["s3", "oss"].contains(service) ? call.cloud.objects.bucket(named: bucket)?.region : nil
        let usualRegion = service == "oss" ? "cn-hangzhou" : "us-east-1"
        return RequestSigner(
            credentials: keys, method: order.signature ?? usual, service: service,
            region: order.region ?? regionOfBucket.flatMap { $0.isEmpty ? nil : $0 } ?? usualRegion,
            bucketOfHost: bucketOfHost, time: .now())
    }

    private static func isOfAlibaba(_ keys: SigningCredentials, _ directory: Directory) -> Bool {
        switch directory.keys[keys.accessKey] {
        case .root(let account, _): account.vendor == .alibaba
        case .user(let user, _): Vendor(account: user.user.account) == .alibaba
        case nil: keys.accessKey.hasPrefix("STS.")
        }
    }

    /// Returns the bucket that the first labels of a host name.
    static func bucket(ofHost authority: String, _ call: Call) -> String? {
        let host = Origin.host(ofAuthority: authority)
        guard host.contains("."), !HostNames.isAddress(host) else { return nil }
        if let bucket = call.cloud.objects.bucket(hostedAt: host) ?? call.cloud.objects.bucket(named: host) { return bucket.name }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        while labels.popLast() != nil, !labels.isEmpty {
            let name = labels.joined(separator: ".")
            if call.cloud.objects.bucket(named: name) != nil { return name }
        }
        return nil
    }

    private static func curl(
        _ order: SendOrder, _ request: SignableRequest, _ target: String, _ body: [UInt8], _ signer: RequestSigner?, _ call: Call
    ) -> CurlCommand {
        var fields = request.fields.map { (name: $0.name.rawName, value: $0.value) }
        // The name of another host need not lead to this process.
        if request.authority != call.authority { fields.append((name: "Host", value: request.authority)) }
        var command = CurlCommand(method: order.method.rawValue, origin: call.origin, target: target, fields: fields, body: body)
        if let signer, signer.method == .v4 {
            command.authentication = .signatureV4(
                service: signer.service, region: signer.region, hasSessionToken: signer.credentials.sessionToken != nil)
        }
        return command
    }
}
