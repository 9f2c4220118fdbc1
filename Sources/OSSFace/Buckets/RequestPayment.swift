import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    private static let payment = "RequestPaymentConfiguration"

    func getBucketRequestPayment(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketRequestPayment, on: bucket)
        return answer(root: Self.payment) { xml in xml.element("Payer", bucket.isPaidByRequester ? "Requester" : "BucketOwner") }
    }

    func putBucketRequestPayment(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketRequestPayment, on: bucket)
        let element = try await xmlDocument(Self.payment)
        guard DocumentSchema.holds(element, .members([.init("Payer", .oneOf(["BucketOwner", "Requester"]))])) else {
            throw OSSError(.malformedXML)
        }
        try await store(element.child("Payer")?.text.trimmed == "Requester" ? "Requester" : nil, as: .requestPayment, in: bucket)
        return answer()
    }
}
