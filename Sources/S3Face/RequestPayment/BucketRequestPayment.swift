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
        let payer = bucket.isPaidByRequester ? RequestPayer.requester : .bucketOwner
        return answer(root: "RequestPaymentConfiguration") { xml in xml.element("Payer", payer.rawValue) }
    }

    func putBucketRequestPayment(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketRequestPayment, on: bucket)
        let body = try await document(upTo: Self.paymentLimit, try declaredBody())
        let element = try xml("RequestPaymentConfiguration", body).holding([.init("Payer", .text)])
        guard let payer = element.child("Payer").flatMap({ RequestPayer(rawValue: $0.text) }) else { throw S3Error(.malformedXML) }
        try await configure(bucket) { configuration in
            configuration.documents[.requestPayment] = payer == .requester ? payer.rawValue : nil
        }
        return answer(.ok)
    }
}
