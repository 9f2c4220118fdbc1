import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func headBucket(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        do { try authorize(.listBucket, on: bucket) } catch {
            var refusal = error
            refusal.fields.append(HTTPField(name: .bucketRegion, value: bucket.regionName))
            throw refusal
        }
        _ = try input(HeadBucketInput.self)
        return answer(
            .ok,
            [
                .bucketRegion: bucket.regionName, .bucketARN: "arn:aws:s3:::\(name)",
                .accessPointAlias: "false", .contentType: "application/xml",
            ])
    }

    func deleteBucket(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.deleteBucket, on: bucket)
        do { try await objects.deleteBucket(bucket.id) } catch {
            var refusal = S3Error(error, bucket: name)
            if refusal.code == .bucketNotEmpty, bucket.configuration.versioning != .never {
                refusal.message += ". You must delete all versions in the bucket."
            }
            throw refusal
        }
        return answer(.noContent)
    }

    /// GetBucketLocation. The constraint is empty for us-east-1.
    func getBucketLocation(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketLocation, on: bucket)
        var xml = XMLWriter()
        xml.declaration()
        xml.element(
            "LocationConstraint", attributes: ["xmlns": S3Face.namespace],
            bucket.region == "us-east-1" ? "" : bucket.region)
        var headers = call.s3Headers()
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: xml.bytes)))
    }
}
