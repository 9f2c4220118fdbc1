import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let paymentLimit = 4 << 10

    func getBucketRequestPayment(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketRequestPayment, on: bucket)
        return answer(root: "RequestPaymentConfiguration") { $0.element("Payer", bucket.configuration.requestPayer.rawValue) }
    }

    func putBucketRequestPayment(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketRequestPayment, on: bucket)
        let body = try await document(upTo: Self.paymentLimit, try declaredBody())
        let element = try xml("RequestPaymentConfiguration", body).holding([.init("Payer", .text)])
        guard let payer = element.child("Payer").flatMap({ RequestPayer(rawValue: $0.text) }) else { throw S3Error(.malformedXML) }
        try await configure(bucket) { $0.requestPayer = payer }
        return answer(.ok)
    }
}
