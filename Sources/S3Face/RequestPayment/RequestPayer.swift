import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension Bucket {
    /// Whether whoever asks pays. (S3 User Guide, "Using Requester Pays general purpose buckets".)
    var isPaidByRequester: Bool {
        !configuration.documents.isEmpty && configuration.documents[.requestPayment] == RequestPayer.requester.rawValue
    }
}

/// Who pays for a request, as GetBucketRequestPayment spells it.
enum RequestPayer: String {
    case bucketOwner = "BucketOwner"
    case requester = "Requester"
}

extension S3Request {
    /// What a caller says who agrees to pay, and what the answer says when the caller was charged.
    private static let consent = "requester"

    /// Refuses a caller of another account who does not agree to pay where the requester pays; nobody can send an anonymous
    /// caller the bill.
    func checkPayer(of bucket: Bucket) throws(S3Error) {
        guard bucket.isPaidByRequester, caller.account != bucket.account else { return }
        guard caller.account != nil, headers[.requestPayer] == Self.consent else { throw S3Error(.accessDenied) }
    }

    /// What tells the caller of an answer's price.
    /// - Returns: `nil` if the bucket's owner pays.
    func chargeFields(_ bucketFromHost: String?) -> HTTPFields {
        guard let name = try? S3Operation.address(path: call.path, bucketFromHost: bucketFromHost).bucket,
            let bucket = objects.bucket(named: name, for: .aws), bucket.isPaidByRequester, caller.account != bucket.account
        else { return [:] }
        return [.requestCharged: Self.consent]
    }
}
