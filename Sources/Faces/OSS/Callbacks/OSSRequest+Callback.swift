import Calls
import Cloud
import Cryptography
import Federation
import HTTPTypes
import NIOCore
import ObjectStore
import WireFormats

extension OSSRequest {
    /// The timeout of the whole exchange with the app's server. (OSS API Reference, "Callback".)
    private static let callbackTimeout = Duration.seconds(5)
    private static let longestCallbackAnswer = 1 << 20

    /// Returns the callback that the request specifies; `nil` if it specifies none.
    func uploadCallback(in bucket: Bucket) throws(OSSError) -> UploadCallback? {
        let input = try input(CallbackInput.self)
        return try uploadCallback(input.callback, variables: input.variables, in: bucket)
    }

    /// Returns the callback that an upload specifies, inline or by the name of a callback policy of the bucket.
    /// (OSS API Reference, "PutBucketCallbackPolicy".)
    /// - Throws: `InvalidArgument`, `BucketCallbackPolicyNotExist`.
    func uploadCallback(_ callback: String?, variables: String?, in bucket: Bucket) throws(OSSError) -> UploadCallback? {
        guard let callback, let name = try UploadCallback.policyName(in: callback) else {
            return try UploadCallback(callback: callback, variables: variables)
        }
        let policies = try configuration(.ossCallbackPolicy, of: bucket)?.children(named: "PolicyItem") ?? []
        guard let policy = policies.first(where: { $0.child("PolicyName")?.text == name }), let text = policy.child("Callback")?.text
        else { throw OSSError(.bucketCallbackPolicyNotExist, nil, ["BucketName": bucket.name, "PolicyName": name]) }
        let kept = policy.child("CallbackVar")?.text ?? ""
        return try UploadCallback(callback: text, variables: kept.isEmpty ? variables : kept)
    }

    /// Sends the callback for an upload to the app's server and returns its response to the client. The object is kept even if the callback
    /// fails.
    /// - Parameters:
    ///   - operation: the name of the operation in the callback.
    ///   - fields: the header fields of the upload's response.
    func answer(
        of callback: UploadCallback, about record: ObjectRecord, in bucket: Bucket, operation: String, _ fields: HTTPFields
    ) async -> Response {
        let body = Array(callback.filledBody { value(of: $0, record, bucket, operation) }.utf8)
        var failure = OSSError(.callbackFailed)
        for url in callback.urls {
            do {
                let content = try await ask(url, callback, body, about: record, in: bucket)
                var response = answer(.ok, fields)
                response.headers.append(HTTPField(name: .contentType, value: UploadCallback.BodyType.json.rawValue))
                response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: content))
                return response
            } catch {
                failure = error
            }
        }
        call.note(errorCode: failure.code, message: failure.message)
        var response = answer(failure.status, fields)
        response.headers.append(HTTPField(name: .ossErrorCode, value: failure.subcode))
        response.headers.append(HTTPField(name: .contentType, value: "application/xml"))
        response.body = ResponseBody(
            byteBuffer: ByteBuffer(bytes: failure.document(requestID: call.id.longText, hostID: call.host)))
        return response
    }

    /// Sends the callback to one URL and returns the body of the response.
    /// - Throws: `CallbackFailed`.
    private func ask(
        _ url: String, _ callback: UploadCallback, _ body: [UInt8], about record: ObjectRecord, in bucket: Bucket
    ) async throws(OSSError) -> [UInt8] {
        var fields: HTTPFields = [
            .contentType: callback.bodyType.rawValue, .userAgent: "aliyun-oss-callback", .contentMD5: MD5.hash(body).base64,
            .ossPublicKeyURL: Array((call.origin + CallbackSignature.publicKeyPath).utf8).base64,
            .ossBucket: bucket.name, .ossOwner: bucket.account, .ossRequestID: call.id.longText,
            .ossRequester: caller.account ?? "", .ossSignatureVersion: "1.0", .ossTag: "CALLBACK",
        ]
        if let host = callback.host, !host.isEmpty, HTTPField.isValidValue(host) { fields[.host] = host }
        do {
            fields[.authorization] = try await CallbackSignature(call.cloud).signature(of: url, body)
        } catch {
            throw OSSError(failure: error)
        }
        var request = OutboundRequest(method: .post, url: url, headers: fields, body: body)
        (request.connectTimeout, request.timeout) = (Self.callbackTimeout, Self.callbackTimeout)
        request.longestAnswer = Self.longestCallbackAnswer
        let answered: OutboundResponse
        do { answered = try await face.outbound(request) } catch {
            throw OSSError(
                .callbackFailed, "Error status : -1. OSS can not connect to your callbackUrl, please check it.",
                subcode: "0007-00000203")
        }
        guard answered.status == 200 else {
            throw OSSError(.callbackFailed, "Error status : \(answered.status).", subcode: "0007-00000203")
        }
        guard (try? JSONValue(parsing: answered.body)) != nil else {
            throw OSSError(.callbackFailed, "Response body is not valid json format.", subcode: "0007-00000056")
        }
        return answered.body
    }

    /// Returns the value of a system variable. (OSS API Reference, "Callback", `callbackBody`.)
    private func value(of name: String, _ record: ObjectRecord, _ bucket: Bucket, _ operation: String) -> CallbackValue? {
        switch name {
        case "bucket": .text(bucket.name)
        case "object": .text(record.key)
        case "etag": .text(record.entityTag.text.uppercased())
        case "size": .number(String(record.size))
        case "mimeType": .text(record.attributes.contentType ?? "application/octet-stream")
        case "crc64": .text(record.ossCRC64 ?? "")
        case "contentMd5": .text(record.ossType == .normal ? record.entityTag.md5.base64 : "")
        case "reqId": .text(call.id.longText)
        case "operation": .text(operation)
        case "clientIp": .text(call.sourceIP)
        default: nil
        }
    }
}
