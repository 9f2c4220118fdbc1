import Calls
import Cloud
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    private static let accelerationLimit = 4 << 10

    /// GetBucketAccelerateConfiguration. The document is empty if acceleration was never configured.
    func getBucketAccelerateConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getAccelerateConfiguration, on: bucket)
        return answer(root: "AccelerateConfiguration") { xml in
            if let status = bucket.configuration.documents[.accelerate] { xml.element("Status", status) }
        }
    }

    /// PutBucketAccelerateConfiguration. The status is stored; it only affects requests to the accelerated host.
    func putBucketAccelerateConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putAccelerateConfiguration, on: bucket)
        let element = try xml(
            "AccelerateConfiguration", try await document(upTo: Self.accelerationLimit, try declaredBody()))
        // (S3 User Guide, "Requirements for using Transfer Acceleration".)
        guard !name.utf8.contains(UInt8(ascii: ".")) else {
            throw S3Error(
                .invalidRequest, "S3 Transfer Acceleration is not supported for buckets with periods (.) in their names")
        }
        guard let status = element.child("Status")?.text, status == "Enabled" || status == "Suspended" else {
            throw S3Error(.malformedXML)
        }
        try await configure(bucket) { $0.documents[.accelerate] = status }
        return answer(.ok)
    }
}

extension S3Face {
    /// Rejects a request to the accelerated host of a bucket that is not accelerated.
    /// (S3 User Guide, "Getting started with Amazon S3 Transfer Acceleration".)
    func checkAcceleration(of name: String, for call: Call) throws(S3Error) {
        guard call.host.dropFirst(name.utf8.count).hasPrefix(".s3-accelerate."),
            let bucket = call.cloud.objects.bucket(named: name, for: .aws), bucket.configuration.documents[.accelerate] != "Enabled"
        else { return }
        let state = bucket.configuration.documents[.accelerate] == nil ? "not configured" : "disabled"
        throw S3Error(.invalidRequest, "S3 Transfer Acceleration is \(state) on this bucket")
    }
}
