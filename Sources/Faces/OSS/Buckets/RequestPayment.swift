import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    private static let payment = "RequestPaymentConfiguration"

    func getBucketRequestPayment(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketRequestPayment, on: bucket)
        return answer(root: Self.payment) { xml in xml.element("Payer", bucket.configuration.requestPayer.rawValue) }
    }

    func putBucketRequestPayment(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketRequestPayment, on: bucket)
        let element = try await xmlDocument(Self.payment, holding: [.init("Payer", .text)])
        guard let payer = element.child("Payer").flatMap({ RequestPayer(rawValue: $0.text.trimmed) }) else { throw OSSError(.malformedXML) }
        try await configure(bucket) { $0.requestPayer = payer }
        return answer()
    }
}
