import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// The value with which a caller agrees to pay, and with which a response confirms the charge.
    private static let consent = "requester"

    /// Rejects callers of other accounts who do not agree to pay, if the requester pays. Anonymous callers are always rejected, because
    /// they cannot be charged.
    func checkPayer(of bucket: Bucket) throws(S3Error) {
        guard bucket.isPaidByRequester, caller.account != bucket.account else { return }
        guard caller.account != nil, headers[.requestPayer] == Self.consent else { throw S3Error(.accessDenied) }
    }

    /// Returns the header that confirms the charge.
    /// - Returns: no fields if the bucket's owner pays.
    func chargeFields(_ bucketFromHost: String?) -> HTTPFields {
        guard let name = try? S3Operation.address(path: call.path, bucketFromHost: bucketFromHost).bucket,
            let bucket = objects.bucket(named: name, for: .aws), bucket.isPaidByRequester, caller.account != bucket.account
        else { return [:] }
        return [.requestCharged: Self.consent]
    }
}
