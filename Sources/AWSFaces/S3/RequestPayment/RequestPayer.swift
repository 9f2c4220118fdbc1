import Cloud
import Federation
import HTTPTypes
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
    /// What a caller says who agrees to pay, in a header or, in a presigned URL, in the query.
    private static let consent = "requester"

    /// Refuses a caller of another account who does not agree to pay where the requester pays; nobody can send an anonymous
    /// caller the bill.
    func checkPayer(of bucket: Bucket) throws(S3Error) {
        guard bucket.isPaidByRequester, caller.account != bucket.account else { return }
        guard caller.account != nil, (headers[.requestPayer] ?? query["x-amz-request-payer"]) == Self.consent else {
            throw S3Error(.accessDenied)
        }
    }

    /// Whether the answer says that the caller was charged.
    func isCharged(for bucket: Bucket) -> Bool { bucket.isPaidByRequester && caller.account != bucket.account }
}
