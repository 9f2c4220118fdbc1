import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    func getBucketCors(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketCors, on: bucket)
        guard let text = bucket.configuration.documents[.ossCORS] else {
            throw OSSError(.noSuchCORSConfiguration, nil, ["BucketName": bucket.name])
        }
        return answer(stored: text)
    }

    func putBucketCors(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketCors, on: bucket)
        let configuration = try CORSConfiguration(
            oss: try await xmlDocument(CORSConfiguration.root, holding: CORSConfiguration.ossSchema))
        try await store(configuration.ossText, as: .ossCORS, in: bucket)
        return answer()
    }

    /// DeleteBucketCors. Succeeds even if there are no rules.
    func deleteBucketCors(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketCors, on: bucket)
        try await store(nil, as: .ossCORS, in: bucket)
        return answer(.noContent)
    }

    /// OptionObject: responds to a CORS preflight request, which is unsigned.
    func preflight(_ name: String, isObject: Bool) throws(OSSError) -> Response {
        let bucket = try bucket(name)
        guard let question = CORSQuestion(call.method, headers), question.namesMethod else {
            throw OSSError(.invalidArgument, "Insufficient information. Origin and Access-Control-Request-Method request headers needed.")
        }
        guard CORSRule.methods.contains(question.method) else {
            throw .invalidArgument(
                "Invalid Access-Control-Request-Method.", name: "Access-Control-Request-Method", value: question.method)
        }
        guard let configuration = try face.corsConfiguration(of: bucket) else { throw OSSError(.accessForbidden) }
        guard let fields = configuration.ossAnswer(to: question) else {
            throw OSSError(
                .accessForbidden,
                "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
                ["Method": question.method, "ResourceType": isObject ? "Object" : "Bucket"])
        }
        return answer(.ok, fields)
    }
}

extension OSSFace {
    /// Returns the CORS rules of a bucket; `nil` if it has none.
    func corsConfiguration(of bucket: Bucket) throws(OSSError) -> CORSConfiguration? {
        try bucket.document(.ossCORS, CORSConfiguration.init(stored:))
    }

    /// Returns the CORS header fields that allow a page to read the response, including an error; empty for a request without an origin,
    /// and for a preflight request, whose response contains them already.
    func crossOriginFields(for call: Call, bucketNamed name: String?) -> HTTPFields {
        guard let name, call.method != .options,
            let bucket = call.cloud.objects.bucket(named: name, for: .alibaba),
            let configuration = try? corsConfiguration(of: bucket)
        else { return [:] }
        guard let question = CORSQuestion(call.method, call.headers) else {
            return configuration.alwaysVaries ? [.vary: "Origin"] : [:]
        }
        return configuration.ossAnswer(to: question) ?? [:]
    }
}
